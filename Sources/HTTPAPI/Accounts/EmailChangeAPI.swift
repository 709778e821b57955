import Accounts
import Hummingbird
import Kernel
import Operations
import Web

/// Changes the e-mail address of the signed-in person.
struct EmailChangeAPI: Sendable {
    let proofs: AddressProofService
    let gate: AddressGate
    let coolingOff: CoolingOff
    let body: JSONBody

    var routes: [Route] {
        let verifying = SessionAccess.session(.everyClient, accepting: .deviceCookie, .deviceCredential)
        return [
            Route(.post, "/auth/email", access: .session(.everyClient, .recent), use: requestChange),
            Route(.post, "/auth/email/verify", access: verifying, use: verify),
        ].alsoUnderAPI
    }

    /// `POST /auth/email/verify`: proves the address by the code that was mailed to it.
    ///
    /// The session of the request stays signed in, and all other sessions and devices are signed out.
    private func verify(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let input = try await body.decode(EmailVerifyRequest.self, from: request)
        try await prove(input.code, by: who, at: who.client, for: request, in: context)
        return JSONReply.encode(DoneResponse(message: "Your address is confirmed."))
    }

    /// Proves the address by the typed code.
    ///
    /// `client`: The client that the mails name.
    /// - Throws: ``APIError/wrongAddressCode``; ``LockedOutError``; ``LimitExceededError``; ``StoreError``.
    func prove(
        _ typed: String,
        by who: SignedIn,
        at client: String,
        for request: Request,
        in context: APIContext
    ) async throws {
        try await gate.admit(.signInsPerAddress, for: request, in: context)
        guard let code = AddressCode(typed: typed) else {
            throw APIError.invalidRequest("“code” must be the eight letters in the mail.")
        }
        let outcome = try await proofs.prove(
            AddressCodeTry(
                code: code,
                account: who.account,
                kept: KeptAccess(session: who.session, presenting: PresentedDevice(request)),
                client: client,
                requester: context.requester(of: request)
            )
        )
        switch outcome {
        case .proven: return
        case .refused: throw APIError.wrongAddressCode
        case .lockedOut(let wait): throw LockedOutError(wait: wait)
        }
    }

    /// `POST /auth/email`: requires a sign-in of the last ten minutes, and answers the same for every address.
    ///
    /// A proven address is replaced only from a session that began with more than a password (``CoolingOff``). Sign-in
    /// codes are mailed to it, so an attacker who learned the password could otherwise keep the account for good. For
    /// an account with passkeys and no proven address, the same is required, or a session of the oldest passkey. An
    /// unproven address is no proof of its owner.
    ///
    /// Nothing changes before the mailed link is followed.
    private func requestChange(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        try await requireEntitlement(of: who)
        let input = try await body.decode(EmailChangeRequest.self, from: request)
        try await mail(to: input.email, by: who, at: who.client, request, context)
        return JSONReply.encode(
            DoneResponse(message: "We mailed a link and a code to that address. Type the code here, or open the link.")
        )
    }

    /// Checks that the session began with enough to change the address.
    ///
    /// - Throws: ``APIError/stepUpRequired``; ``StoreError``.
    func requireEntitlement(of who: SignedIn) async throws {
        if who.hasProvenEmail {
            try await coolingOff.requireBeyondPassword(who)
        } else {
            try await coolingOff.requireOwner(who)
        }
    }

    /// Mails a link and a code to the new address.
    ///
    /// `client`: The client that the mail and the page behind its link name.
    /// - Throws: ``APIError/invalidEmail``; ``LimitExceededError``; ``StoreError``.
    func mail(
        to typed: String,
        by who: SignedIn,
        at client: String,
        _ request: Request,
        _ context: APIContext
    ) async throws {
        guard let email = EmailAddress(typed) else { throw APIError.invalidEmail }
        let turn = try await gate.admitProofMail(to: email, for: request, in: context)
        try await proofs.requestChange(
            AddressChangeRequest(
                account: who.account,
                session: who.session,
                email: email,
                requester: context.requester(of: request),
                client: client
            ),
            turn: turn
        )
    }
}
