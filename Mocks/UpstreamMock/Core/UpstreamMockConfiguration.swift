package import Kernel
package import MockServing

/// The configuration of the mock of an upstream.
package struct UpstreamMockConfiguration: Sendable {
    /// The authorization server; its token endpoint requires the client's secret.
    package var authorization = AuthorizationConfiguration(
        clientID: "mock-client",
        clientSecret: Secret("mock-client-secret"),
        tokenPrefix: "up",
        furtherMembers: #""scope":"profile","id_token":"not.for.apps""#
    )
    package var people: [UpstreamPerson] = [
        UpstreamPerson(email: "ada@example.com", password: Secret("ada-password"), id: "4711"),
        UpstreamPerson(email: "ben@example.com", password: Secret("ben-password"), id: "4712", isAllowed: false),
        UpstreamPerson(email: "cleo@example.com", password: Secret("cleo-password"), id: "4713", isActive: false),
    ]

    package init() {}
}

/// A person of the upstream.
package struct UpstreamPerson: Sendable {
    package var email: String
    package var password: Secret
    /// The business partner's id, which the lookup returns and the data is stored under.
    package var id: String
    package var isActive = true
    /// Whether the person may see the data.
    package var isAllowed = true
}
