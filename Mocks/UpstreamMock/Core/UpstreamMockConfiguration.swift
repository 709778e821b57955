package import Kernel
package import MockServing

/// How the mock of an upstream is set up.
package struct UpstreamMockConfiguration: Sendable {
    /// Without its secret, the token endpoint gives nothing.
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

/// Somebody whom the upstream knows.
package struct UpstreamPerson: Sendable {
    package var email: String
    package var password: Secret
    /// The business partner's id, which the lookup tells and the data is kept under.
    package var id: String
    package var isActive = true
    /// Whether the data's server shows them theirs.
    package var isAllowed = true
}
