import Kernel

extension BrokerService {
    /// A year: more is a fault in the upstream's units.
    private static let longestLifetime = 366 * 86_400

    /// What an answer of the token endpoint comes to (RFC 6749 §5).
    func read(
        _ answer: UpstreamAnswer,
        of grant: UpstreamGrant,
        at upstream: Upstream
    ) throws(OAuthError) -> UpstreamTokens {
        switch answer.status {
        case 200:
            guard let tokens = Self.tokens(answer.body) else {
                warn(upstream, "token", "HTTP 200 with a body that has no tokens in it")
                throw .upstreamBroken
            }
            return tokens
        case 429, 500...599:
            warn(upstream, "token", "HTTP \(answer.status)")
            throw .upstreamDown
        case 400..<500: throw refusal(answer, of: grant, at: upstream)
        default:
            warn(upstream, "token", "HTTP \(answer.status)")
            throw .upstreamBroken
        }
    }

    /// What the app is told of a refusal: its own faults, and not ours.
    private func refusal(_ answer: UpstreamAnswer, of grant: UpstreamGrant, at upstream: Upstream) -> OAuthError {
        let code = Self.members(answer.body)?["error"].flatMap { $0.printable }.flatMap { OAuthErrorCode(rawValue: $0) }
        if code == .invalidGrant {
            switch grant {
            case .code: return .badCode
            case .refreshToken: return .badRefreshToken
            }
        }
        if code == .invalidScope {
            return OAuthError(.invalidScope, "The authorization server does not give that scope.")
        }
        if code == .temporarilyUnavailable || code == .slowDown { return .upstreamDown }
        warn(upstream, "token", "HTTP \(answer.status), \(code?.rawValue ?? "without a known error")")
        // Our secret, our client or our request: nothing that an app can mend, and our own fault.
        return code == nil ? .upstreamBroken : .refusedByUpstream
    }

    private static func tokens(_ body: [UInt8]) -> UpstreamTokens? {
        guard let members = members(body), let access = members["access_token"]?.printable else { return nil }
        let type = members["token_type"]?.printable ?? "Bearer"
        // A type that we don't know is one that the app would use wrongly (RFC 6749 §7.1).
        guard type.lowercased() == "bearer" else { return nil }
        let refresh = members["refresh_token"]?.printable
        guard refresh != nil || members["refresh_token"]?.isNull ?? true else { return nil }
        return UpstreamTokens(
            accessToken: Secret(access),
            tokenType: "Bearer",
            expiresIn: lifetime(members["expires_in"]),
            refreshToken: refresh.map { Secret($0) },
            scope: members["scope"]?.printable
        )
    }

    /// A number, or one in a text as some servers write it.
    private static func lifetime(_ value: JSONValue?) -> Int? {
        let seconds: Int64?
        if case .string(let text)? = value { seconds = Int64(text) } else { seconds = value?.integer }
        return seconds.flatMap { (1...Int64(longestLifetime)).contains($0) ? Int($0) : nil }
    }

    private static func members(_ body: [UInt8]) -> [String: JSONValue]? {
        guard case .object(let members)? = try? JSONReader.read(body) else { return nil }
        return members
    }
}

extension JSONValue {
    /// A text of printable ASCII that is not too long: what a token or a word of the protocol is (RFC 6749 appendix A).
    fileprivate var printable: String? {
        guard case .string(let text) = self, (1...8192).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        return text
    }
}
