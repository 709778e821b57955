package import Kernel

/// The parameters with which a server sends a browser back (RFC 6749 §4.1.2, RFC 9207).
package struct AuthorizationCallback: Sendable, Equatable {
    /// The longest code that is accepted, in bytes.
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

    /// - Parameter value: Returns the value of a parameter of the callback's query.
    package init(query value: (String) -> String?) {
        self.init(state: value("state"), code: value("code"), error: value("error"), issuer: value("iss"))
    }

    /// The server's answer.
    package enum Answer: Sendable, Equatable {
        case code(Secret)
        /// RFC 6749 §4.1.2.1.
        case error(String)
    }

    /// Checks that the browser is the one that was redirected (RFC 9700 §4.7.1).
    /// - Throws: ``CallbackError`` `otherBrowser` for another cookie, or none.
    package func check(browser: Secret?, redirected: Digest256) throws(CallbackError) {
        guard let browser, redirected.matches(Digest256(sha256: browser.expose())) else { throw .otherBrowser }
    }

    /// Checks that the server that answers is the one that was asked (RFC 9207 §2.4).
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
