import Hummingbird
import Kernel
import OAuth
import SignIn

/// The routes by which owners list the OAuth clients that they have consented to, and withdraw their consent.
struct OwnConsentsAPI: Sendable {
    let consents: ConsentWithdrawal
    let clients: OAuthClientDirectory

    var routes: [Route] {
        [
            Route(.get, "/auth/consents", access: .session.orWebSession, use: list),
            Route(.delete, "/auth/consents/{client}", access: .session.orWebSession, use: withdraw),
        ].alsoUnderAPI
    }

    /// `GET /auth/consents`: in the order of the clients' ids.
    private func list(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let given = try await consents.list(of: who.account)
        return JSONReply.encode(
            OwnedConsentsResponse(
                consents: given.map { consent in
                    OwnedConsentView(consent, named: clients.client(consent.clientID)?.name ?? consent.clientID)
                }
            )
        )
    }

    /// `DELETE /auth/consents/{client}`: ends the client's sessions too; a client without consent counts as unknown.
    private func withdraw(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        // A plus sign of a path is one, other than in a form.
        let written = (context.parameters.get("client") ?? "").replacing("+", with: "%2B")
        let client = QueryText.decode(written[...])
        guard try await consents.withdraw(client, of: who.account, by: who.session) else {
            throw APIError.consentNotFound
        }
        return JSONReply.encode(ChangedResponse(message: "Consent withdrawn"))
    }
}

/// The clients that an account's owner has consented to.
struct OwnedConsentsResponse: Codable, Sendable, Equatable {
    var consents: [OwnedConsentView]
}

/// One client that an account's owner has consented to.
struct OwnedConsentView: Codable, Sendable, Equatable {
    /// The client's id, for the withdrawal.
    var client: String
    /// The client's name; its id if the client no longer exists.
    var name: String
    var scopes: [String]
    /// The resources that the client may use in the person's name (RFC 8707).
    var resources: [String]
    /// UTC, `2026-01-31T09:05:00Z`.
    var grantedAt: String
    /// The time at which the person is asked again.
    var expiresAt: String

    init(_ given: GivenConsent, named name: String) {
        client = given.clientID
        self.name = name
        scopes = given.scopes.values.sorted()
        resources = given.resources.sorted()
        grantedAt = given.grantedAt.internetDate
        expiresAt = given.expiresAt.internetDate
    }
}
