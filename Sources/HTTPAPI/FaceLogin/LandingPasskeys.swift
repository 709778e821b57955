import Hummingbird
import Kernel
import Operations
package import Passkeys

/// A passkey in the place of the press, on the page that asks before a scan.
///
/// No passkey is named to the browser: what it is asked for is the same for every login, whoever's it is, and for a
/// decoy. Whose passkey has answered is looked at afterwards. The challenge is tied to the ticket, so that no sign-in
/// takes what is signed here, and no page what is signed for a sign-in or another page.
package struct LandingPasskeys: Sendable {
    private let service: PasskeyService
    private let site: PasskeySite
    private let source: PasskeySource

    package init(service: PasskeyService, site: PasskeySite, source: PasskeySource) {
        self.service = service
        self.site = site
        self.source = source
    }

    /// What the browser is called with.
    func options(for ticket: String, _ request: Request, _ context: APIContext) async throws -> RequestOptions {
        try source.admit(.byChallengeID, request, context)
        let order = site.signIn(boundTo: .ticket(Secret(ticket)), from: source.digest(request, context))
        return try await service.begin(order)
    }

    /// What the browser answered, looked at; nothing is used up yet.
    /// - Throws: ``PasskeyRefusal``; ``APIError/malformedJSON``.
    func confirmation(_ answer: String, for ticket: String) async throws -> PasskeyConfirmation {
        guard let json = try? JSONReader.read(Array(answer.utf8)) else { throw APIError.malformedJSON }
        let checked = try await service.check(signIn: json, from: .ticket(Secret(ticket)))
        return PasskeyConfirmation(account: checked.account, passkey: checked.passkeyID) { [service] transaction in
            try service.redeem(checked, in: transaction)
        }
    }
}
