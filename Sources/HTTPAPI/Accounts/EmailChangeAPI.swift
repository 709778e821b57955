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
    /// The app in which the person types the code stays signed in, and all else ends.
    private func verify(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let input = try await body.decode(EmailVerifyRequest.self, from: request)
        try gate.admit(.signInsPerAddress, for: request, in: context)
        guard let code = AddressCode(typed: input.code) else {
            throw APIError.invalidRequest("“code” must be the eight letters in the mail.")
        }
        let outcome = try await proofs.prove(
            AddressCodeTry(
                code: code,
                account: who.account,
                kept: KeptAccess(session: who.session, presenting: PresentedDevice(request)),
                client: who.client,
                language: AcceptedLanguage.texts(for: request).language
            )
        )
        switch outcome {
        case .proven: return JSONReply.encode(DoneResponse(message: "Your address is confirmed."))
        case .refused: throw APIError.wrongAddressCode
        case .lockedOut(let wait): throw LockedOutError(wait: wait)
        }
    }

    /// `POST /auth/email`: after a sign-in of the last ten minutes; the same answer for every address.
    ///
    /// A proven address is replaced only from a session that began with more than a password (``CoolingOff``). Codes go
    /// to it, so that somebody who learned the password would otherwise keep the account for good. The first proven
    /// address of an account with passkeys takes as much, or the oldest passkey: an address that is merely claimed
    /// proves nothing.
    ///
    /// Nothing changes before the mailed link is followed.
    private func requestChange(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        if who.hasProvenEmail {
            try await coolingOff.requireBeyondPassword(who)
        } else {
            try await coolingOff.requireOwner(who)
        }
        let input = try await body.decode(EmailChangeRequest.self, from: request)
        guard let email = EmailAddress(input.email) else { throw APIError.invalidEmail }
        let turn = try gate.admitProofMail(to: email, for: request, in: context)
        try await proofs.requestChange(
            AddressChangeRequest(
                account: who.account,
                session: who.session,
                email: email,
                language: AcceptedLanguage.texts(for: request).language,
                client: who.client
            ),
            turn: turn
        )
        return JSONReply.encode(
            DoneResponse(message: "We mailed a link and a code to that address. Type the code here, or open the link.")
        )
    }
}
