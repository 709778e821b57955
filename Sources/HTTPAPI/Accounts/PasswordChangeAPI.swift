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

    /// `POST /auth/password`: after a sign-in of the last ten minutes, and with the old password where the account has
    /// one.
    ///
    /// A sign-in by a mailed code needs no old password: it is the way back for people who have forgotten theirs.
    ///
    /// All other sessions end, and all other devices with their keys. An attacker with the old password may be in one,
    /// or have set up another. The remaining device loses its credential unless the request presents it, and its key
    /// unless the session is bound to it. It loses its push token too: the attacker may have left his own there.
    private func change(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let input = try await body.decode(PasswordChangeRequest.self, from: request)
        try gate.admit(.signInsPerAddress, for: request, in: context)
        let change = try await entitlement(of: who, to: input, presenting: PresentedDevice(request))
        let language = AcceptedLanguage.texts(for: request).language
        let person = PasswordChange.Person(
            account: who.account,
            client: who.client,
            keeping: KeptAccess(session: who.session, presenting: PresentedDevice(request)),
            language: language
        )
        guard try await passwords.apply(change, by: person) else { throw APIError.wrongPassword }
        return JSONReply.encode(DoneResponse(message: "Password changed"))
    }

    /// Returns what entitles the person to set the new password; it is hashed last, once nothing else can fail.
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
            // A 401 would have apps refresh in vain and sign the person out.
            guard outcome != .wrong else { throw APIError.wrongPassword }
            return .replacing(try outcome.verified)
        }
        if who.isMailboxProven { return .resetting(try await passwords.hash(new)) }
        guard try await !passwords.hasPassword(who.account) else { throw APIError.wrongPassword }
        return .setting(try await passwords.hash(new))
    }
}
