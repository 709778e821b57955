package import Kernel

/// An authorization request that waits for a person, in one browser.
///
/// An interaction is found by its id, which is in the address of its pages. Only the browser that holds its cookie can
/// act on it: its address is useless to another person (RFC 9700 §4.7, login CSRF).
package struct Interaction: Sendable, Equatable {
    /// SHA-256 of the id.
    package let id: Digest256
    /// SHA-256 of the cookie's value.
    package let browser: Digest256
    package let request: AuthorizationRequest
    /// The proof of identity given in this interaction so far.
    package internal(set) var proven: Proven?
    /// The face login of the interaction.
    package internal(set) var operation: UUIDBits?
    /// The account that has consented to the request; `nil` before the consent.
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

    /// Whether a person has consented to the request.
    package var isConsented: Bool { consentedBy != nil }

    /// A person's account and their proof of identity, given in this interaction or in the browser's session.
    package struct Proven: Sendable, Equatable {
        package let account: AccountID
        package let authentication: AuthenticationContext

        package init(account: AccountID, authentication: AuthenticationContext) {
            self.account = account
            self.authentication = authentication
        }
    }
}

/// The next step of an authorization request.
///
/// ``AuthorizationSteps`` decides it again after every step: no step fixes the one after it.
package enum AuthorizationStep: Sendable, Equatable {
    /// The person has to sign in, in one of these ways. `hint` is the `login_hint` of the client.
    case signIn(Set<SignInWay>, hint: String?)
    /// The person has to consent to these scopes.
    case consent(ScopeSet)
    /// The browser is redirected back to the client with an error.
    case answer(AuthorizationAnswer)
    /// All conditions are met: a code for this grant must be issued.
    case grant(AuthorizedGrant)
}

/// The answer that the browser carries to the client.
package struct AuthorizationAnswer: Sendable, Equatable {
    package let redirectURI: String
    package let responseMode: AuthorizationRequest.ResponseMode
    /// The parameters `code`, or `error` and `error_description`; then `state` and `iss` (RFC 9207).
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
