package import Accounts
import Hummingbird
import Kernel
package import Operations
import Wire

/// Giving whoever is signed in another e-mail address.
package struct EmailChangeAPI: Sendable {
    private let proofs: AddressProofDesk
    private let clients: ClientDirectory
    private let gate: AddressGate
    private let coolingOff: CoolingOff
    private let body: JSONBody

    package init(
        proofs: AddressProofDesk,
        clients: ClientDirectory,
        gate: AddressGate,
        coolingOff: CoolingOff,
        bodyLimit: Int
    ) {
        self.proofs = proofs
        self.clients = clients
        self.gate = gate
        self.coolingOff = coolingOff
        body = JSONBody(limit: bodyLimit)
    }

    package var routes: [Route] {
        let route = Route(.post, "/auth/email", access: .session(.everyClient, .recent), order)
        return [route, route.under("/api")]
    }

    /// `POST /auth/email`: after a sign-in of the last ten minutes; the same answer for every address.
    ///
    /// A proven address gives way only to a session that began with more than a password (``CoolingOff``): codes go to it,
    /// so that whoever learned the password would have the account for good. The first address of an account that has
    /// passkeys takes as much, or the oldest of them.
    ///
    /// Nothing changes before the link is followed that is mailed there.
    @Sendable private func order(
        _ request: Request,
        _ context: APIContext,
        _ who: SignedIn
    ) async throws -> Response {
        if who.hasProvenEmail { try await coolingOff.requireBeyondPassword(who) }
        if who.email.isEmpty { try await coolingOff.requireOwner(who) }
        let asked = try await body.decode(EmailChangeRequest.self, from: request)
        guard let email = EmailAddress(asked.email) else { throw Problem.invalidEmail }
        let turn = try gate.admitProofMail(to: email, request, context)
        try await proofs.order(
            AddressChangeOrder(
                account: who.account,
                session: who.session,
                email: email,
                language: AcceptedLanguage.texts(for: request).language,
                service: try clients.client(named: who.client, surface: nil).landing.clientName
            ),
            turn: turn
        )
        return JSONReply.encode(
            DoneResponse(message: "We mailed a link to that address. Open it to confirm the change.")
        )
    }
}
