import Accounts
import Hummingbird
import Kernel
import Operations
package import SignIn
import Web
import Wire

/// Changing the password of whoever is signed in.
package struct PasswordChangeAPI: Sendable {
    private let passwords: PasswordChange
    private let gate: AddressGate
    private let body: JSONBody

    package init(passwords: PasswordChange, gate: AddressGate, bodyLimit: Int) {
        self.passwords = passwords
        self.gate = gate
        body = JSONBody(limit: bodyLimit)
    }

    package var routes: [Route] {
        let access = SessionAccess.session(.everyClient, .recent, heeding: .deviceCookie, .deviceCredential)
        return [Route(.post, "/auth/password", access: access, use: change)].alsoUnderAPI
    }

    /// `POST /auth/password`: after a sign-in of the last ten minutes, and with the old password where there is one, unless
    /// the sign-in was by a mailed code: that is the way back for who has forgotten it.
    ///
    /// All other sessions end, and all other devices with their keys: whoever had the old password may be in one, or have set
    /// up another. The device that stays loses its credential unless the request shows it, its key unless the session is
    /// bound to it, and its push token: the same person may have left his own there.
    private func change(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let input = try await body.decode(PasswordChangeRequest.self, from: request)
        try gate.admit(.signInsPerAddress, for: request, in: context)
        let change = try await entitlement(of: who, to: input, showing: ShownDevice(request))
        let language = AcceptedLanguage.texts(for: request).language
        let person = PasswordChange.Person(
            account: who.account,
            client: who.client,
            keeping: KeptAccess(session: who.session, showing: ShownDevice(request)),
            language: language
        )
        guard try await passwords.apply(change, by: person) else { throw APIError.wrongPassword }
        return JSONReply.encode(DoneResponse(message: "Password changed"))
    }

    /// What entitles the person to set the new password, which is hashed last: nothing is that can't come to anything.
    private func entitlement(
        of who: SignedIn,
        to input: PasswordChangeRequest,
        showing evidence: ShownDevice
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
            // No 401: apps would refresh after it, in vain, and sign the person out.
            guard outcome != .wrong else { throw APIError.wrongPassword }
            return .replacing(try outcome.verified)
        }
        if who.isMailboxProven { return .resetting(try await passwords.hash(new)) }
        guard try await !passwords.hasPassword(who.account) else { throw APIError.wrongPassword }
        return .setting(try await passwords.hash(new))
    }
}
