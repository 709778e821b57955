package import Kernel

/// The tokens of a server: what is named here, and nothing else of its answer.
package struct GrantedTokens: Sendable, Equatable {
    package let accessToken: Secret
    /// `nil`: none, or the one that there was stays good.
    package let refreshToken: Secret?
    /// Seconds; `nil` where the server says nothing that can be a lifetime.
    package let expiresIn: Int?
    package let scope: String?

    package init(accessToken: Secret, refreshToken: Secret?, expiresIn: Int?, scope: String? = nil) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
        self.scope = scope
    }

    /// A type that we don't know is one that we, or the app, would use wrongly (RFC 6749 §7.1).
    package static let type = "Bearer"
}

/// What a token endpoint answered (RFC 6749 §5).
package enum TokenAnswer: Sendable, Equatable {
    case tokens(GrantedTokens)
    /// HTTP 200 with a body that has no tokens in it.
    case noTokens
    /// `error`: the word of the answer, which may be any text; `nil` for a body without one.
    case refused(status: Int, error: String?)
    /// The server is out of order or too busy.
    case outage(status: Int)
    case unexpected(status: Int)

    /// Reads the answer: nothing is taken that has another form than it should.
    package init(status: Int, body: [UInt8], of server: some AuthorizationServer) {
        switch status {
        case 200: self = GrantedTokens(body, isLoose: server.hasLooseAnswers).map { .tokens($0) } ?? .noTokens
        case 429, 500...599: self = .outage(status: status)
        case 400..<500:
            guard case .object(let members)? = try? JSONReader.read(body), case .string(let error)? = members["error"]
            else {
                self = .refused(status: status, error: nil)
                return
            }
            self = .refused(status: status, error: error)
        default: self = .unexpected(status: status)
        }
    }
}

extension GrantedTokens {
    /// A year: more is a fault in the server's units.
    private static let longestLifetime: Int64 = 366 * 86_400

    fileprivate init?(_ body: [UInt8], isLoose: Bool) {
        guard case .object(let members)? = try? JSONReader.read(body) else { return nil }
        let least: UInt8 = isLoose ? 0x20 : 0x21
        guard let access = members["access_token"]?.text(from: least),
            (members["token_type"]?.text(from: 0x20) ?? (isLoose ? Self.type : "")).lowercased() == "bearer"
        else { return nil }
        let refresh = members["refresh_token"]?.text(from: least)
        guard refresh != nil || members["refresh_token"]?.isNull ?? true else { return nil }
        var seconds = members["expires_in"]?.integer
        if isLoose, case .string(let text)? = members["expires_in"] { seconds = Int64(text) }
        self.init(
            accessToken: Secret(access),
            refreshToken: refresh.map { Secret($0) },
            expiresIn: seconds.flatMap { (1...Self.longestLifetime).contains($0) ? Int($0) : nil },
            scope: members["scope"]?.text(from: 0x20)
        )
    }
}

extension JSONValue {
    /// A text of printable ASCII that is not too long: what a token or a word of the protocol is (RFC 6749 appendix A).
    fileprivate func text(from least: UInt8) -> String? {
        guard case .string(let text) = self, (1...8192).contains(text.utf8.count),
            text.utf8.allSatisfy({ (least...0x7E).contains($0) })
        else { return nil }
        return text
    }
}
