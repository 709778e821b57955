package import Kernel

/// An authorization request that waits for a person, in one browser.
///
/// It is found by its id, which stands in the address of its pages, and acted on only by the browser that holds its cookie:
/// whoever is sent the address of somebody else's can do nothing with it (RFC 9700 §4.7, login CSRF).
package struct Interaction: Sendable, Equatable {
    /// SHA-256 of the id.
    package let id: Digest256
    /// SHA-256 of the value of the cookie.
    package let browser: Digest256
    package let request: AuthorizationRequest
    /// Who has proved who they are in it, so far.
    package internal(set) var proven: Proven?
    /// The face login that runs for it.
    package internal(set) var operation: UUIDBits?
    /// Who has agreed, in it, to what the client asks for.
    package internal(set) var consentedBy: AccountID?
    package let createdAt: Instant
    package let expiresAt: Instant

    package init(
        id: Digest256,
        browser: Digest256,
        request: AuthorizationRequest,
        proven: Proven?,
        operation: UUIDBits?,
        consentedBy: AccountID?,
        createdAt: Instant,
        expiresAt: Instant
    ) {
        self.id = id
        self.browser = browser
        self.request = request
        self.proven = proven
        self.operation = operation
        self.consentedBy = consentedBy
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// Whether somebody has agreed to what the client asks for.
    package var isConsented: Bool { consentedBy != nil }

    /// A person, and what they have shown in this interaction or in the browser's session before.
    package struct Proven: Sendable, Equatable {
        package let account: AccountID
        package let authentication: AuthenticationContext

        package init(account: AccountID, authentication: AuthenticationContext) {
            self.account = account
            self.authentication = authentication
        }
    }
}

/// What is to be done next about an authorization request: every step asks again, and steps never lead to one another.
package enum AuthorizationStep: Sendable, Equatable {
    /// The person has to prove who they are, in one of these ways; `hint`: whom the client expects.
    case signIn(Set<SignInWay>, hint: String?)
    /// The person has to agree that the client gets this.
    case consent(ScopeSet)
    /// The browser goes back to the client, with an error.
    case answer(AuthorizationAnswer)
    /// Nothing is left to be done but to issue the code of this.
    case grant(AuthorizedGrant)
}

/// A way to prove who one is, on the sign-in page.
package enum SignInWay: String, Sendable, CaseIterable {
    case face, passkey
}

/// What the browser brings back to the client.
package struct AuthorizationAnswer: Sendable, Equatable {
    package let redirectURI: String
    package let responseMode: AuthorizationRequest.ResponseMode
    /// `code`, or `error` and `error_description`; `state`; `iss` (RFC 9207): in this order.
    package let parameters: [Parameter]

    package struct Parameter: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}
