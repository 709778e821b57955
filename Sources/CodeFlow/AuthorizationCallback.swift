package import Kernel

/// What a server sends a browser back with (RFC 6749 §4.1.2, RFC 9207).
package struct AuthorizationCallback: Sendable, Equatable {
    /// The longest code that is taken, in bytes.
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

    /// What the server answers.
    package enum Answer: Sendable, Equatable {
        case code(Secret)
        /// RFC 6749 §4.1.2.1.
        case error(String)
    }

    /// - Throws: ``CallbackError`` `otherBrowser` where the cookie is not the one of the browser that was redirected
    ///   (RFC 9700 §4.7.1).
    package func check(browser: Secret?, redirected: Digest256) throws(CallbackError) {
        guard let browser, redirected.matches(Digest256(sha256: browser.expose())) else { throw .otherBrowser }
    }

    /// - Throws: ``CallbackError`` `otherIssuer` where another server answers than was asked (RFC 9207 §2.4).
    package func checkIssuer(of server: some AuthorizationServer) throws(CallbackError) {
        if let expected = server.issuer {
            guard issuer == expected else { throw .otherIssuer }
        }
    }

    /// - Throws: ``CallbackError`` `malformed`.
    package func answer() throws(CallbackError) -> Answer {
        if let error { return .error(error) }
        guard let code, (1...Self.longestCode).contains(code.utf8.count) else { throw .malformed }
        return .code(Secret(code))
    }
}
