package import Kernel

/// The parameters of the callback: an authorization server redirects the browser to this one (RFC 6749 §4.1.2, RFC
/// 9207).
package struct AuthorizationCallback: Sendable, Equatable {
    /// The most bytes of an accepted code.
    package static let longestCode = 4096

    package let state: String?
    private let code: String?
    private let error: String?
    private let issuer: String?

    package init(state: String?, code: String?, error: String?, issuer: String?) {
        self.state = state
        self.code = code
        self.error = error
        self.issuer = issuer
    }

    /// - Parameter value: Returns the value of a named parameter in the callback's query.
    package init(query value: (String) -> String?) {
        self.init(state: value("state"), code: value("code"), error: value("error"), issuer: value("iss"))
    }

    /// The answer of the authorization server.
    package enum Answer: Sendable, Equatable {
        case code(Secret)
        /// The error code of RFC 6749 §4.1.2.1.
        case error(String)
    }

    /// Checks that the browser is the one that was redirected to the authorization server (RFC 9700 §4.7.1).
    /// - Throws: ``CallbackError`` `otherBrowser` for a different or missing cookie.
    package func check(browser: Secret?, redirected: Digest256) throws(CallbackError) {
        guard let browser, redirected.matches(Digest256(sha256: browser.expose())) else { throw .otherBrowser }
    }

    /// Checks that the answering authorization server is the one that was asked (RFC 9207 §2.4).
    /// - Throws: ``CallbackError`` `otherIssuer`.
    package func checkIssuer(of server: AuthorizationServer) throws(CallbackError) {
        if let expected = server.issuer {
            guard issuer == expected else { throw .otherIssuer }
        }
    }

    /// Returns the code or the error.
    /// - Throws: ``CallbackError`` `malformed`.
    package func answer() throws(CallbackError) -> Answer {
        if let error { return .error(error) }
        guard let code, (1...Self.longestCode).contains(code.utf8.count) else { throw .malformed }
        return .code(Secret(code))
    }
}
