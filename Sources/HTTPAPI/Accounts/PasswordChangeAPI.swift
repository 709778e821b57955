import Accounts
import Hummingbird
import Kernel
import Operations
import SignIn
import Web

/// Changes the password of the signed-in person.
struct PasswordChangeAPI: Sendable {
    let passwords: PasswordChange
    let gate: AddressGate
    let body: JSONBody

    var routes: [Route] {
        let access = SessionAccess.session(.everyClient, .recent, accepting: .deviceCookie, .deviceCredential)
        return [Route(.post, "/auth/password", access: access, use: change)].alsoUnderAPI
    }

    /// `POST /auth/password`: requires a sign-in of the last ten minutes, and the account's old password if there is
    /// one.
    ///
    /// After a sign-in by a mailed code the old password is not required, so that people who forgot it can set a new
    /// one.
    ///
    /// All other sessions and devices are revoked, with the devices' keys. An attacker with the old password may use
    /// one of the sessions, or have added a device. The session's own device keeps its credential only if the request
    /// presents it, and its key only if the session is bound to that key. It also loses its push token, which may be
    /// the attacker's.
    private func change(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let input = try await body.decode(PasswordChangeRequest.self, from: request)
        try await change(input, by: who, at: who.client, for: request, in: context)
        return JSONReply.encode(DoneResponse(message: "Password changed"))
    }

    /// Sets the new password, and ends all other access.
    ///
    /// `client`: The client that the mail names.
    /// - Throws: ``APIError/wrongPassword``; ``AccountError/weakPassword``; ``LimitExceededError``; ``StoreError``.
    func change(
        _ input: PasswordChangeRequest,
        by who: SignedIn,
        at client: String,
        for request: Request,
        in context: APIContext
    ) async throws {
        try await gate.admit(.signInsPerAddress, for: request, in: context)
        let change = try await entitlement(of: who, to: input, presenting: PresentedDevice(request))
        let person = PasswordChange.Person(
            account: who.account,
            client: client,
            keeping: KeptAccess(session: who.session, presenting: PresentedDevice(request)),
            requester: context.requester(of: request)
        )
        guard try await passwords.apply(change, by: person) else { throw APIError.wrongPassword }
    }

    /// Returns the right by which the person sets the new password, which is hashed last, after all checks.
    private func entitlement(
        of who: SignedIn,
        to input: PasswordChangeRequest,
        presenting evidence: PresentedDevice
    ) async throws -> PasswordChange.Entitlement {
        let new = Secret(input.newPassword)
        if let current = input.currentPassword {
            let outcome = try await passwords.verify(
                Secret(current),
                of: who.account,
                client: who.client,
                shown: evidence,
                toSet: new
            )
            // After a 401, apps would refresh their tokens to no effect, and then sign the person out.
            guard outcome != .wrong else { throw APIError.wrongPassword }
            return .replacing(try outcome.verified)
        }
        if who.isMailboxProven { return .resetting(try await passwords.hash(new)) }
        guard try await !passwords.hasPassword(who.account) else { throw APIError.wrongPassword }
        return .setting(try await passwords.hash(new))
    }
}
