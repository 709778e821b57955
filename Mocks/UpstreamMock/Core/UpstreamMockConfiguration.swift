package import Kernel

/// How the mock of an upstream is set up.
package struct UpstreamMockConfiguration: Sendable {
    /// The one client that it knows, and its secret, without which the token endpoint gives nothing.
    package var clientID = "mock-client"
    package var clientSecret = Secret("mock-client-secret")
    /// Where it sends browsers back to; compared character by character.
    package var redirectURIs: Set<String> = []
    /// Whether it binds codes to a verifier where a challenge came (RFC 7636).
    package var takesCodeChallenge = true
    /// `iss` of its answers; `nil` sends none.
    package var issuer: String?
    package var accessTokenLifetime: Duration = .seconds(600)
    package var codeLifetime: Duration = .seconds(60)
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
    package var isActive: Bool
    /// Whether the data's server shows them theirs.
    package var isAllowed: Bool

    package init(email: String, password: Secret, id: String, isActive: Bool = true, isAllowed: Bool = true) {
        self.email = email
        self.password = password
        self.id = id
        self.isActive = isActive
        self.isAllowed = isAllowed
    }
}
