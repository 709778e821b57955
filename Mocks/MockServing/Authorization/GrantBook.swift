import Crypto
package import Kernel

/// Codes and tokens in force of a mock's authorization server (RFC 6749).
///
/// Bounded: when there are too many, all of a sort go.
package struct GrantBook: Sendable {
    private static let most = 10_000

    private let configuration: AuthorizationConfiguration
    /// Where browsers may be sent back to.
    package var redirectURIs: Set<String>
    private var codes: [String: Code] = [:]
    private var accessTokens: [String: AccessToken] = [:]
    /// The person of each refresh token that was not used yet.
    private var refreshTokens: [String: String] = [:]
    /// Parameter names of the last call to the token endpoint, so that a test can prove what was not sent.
    package private(set) var lastTokenParameters: [String] = []

    package init(_ configuration: AuthorizationConfiguration) {
        self.configuration = configuration
        redirectURIs = configuration.redirectURIs
    }

    private struct Code: Sendable {
        let person: String
        let redirectURI: String
        let challenge: String?
        let expiresAt: Instant
    }

    private struct AccessToken: Sendable {
        let person: String
        let expiresAt: Instant
    }

    /// Takes all tokens back, as when people withdraw what they agreed to.
    package mutating func revokeTokens() {
        accessTokens = [:]
        refreshTokens = [:]
    }

    /// Returns the person of an access token; `nil` for an invalid or expired one.
    package func person(behind token: String, at now: Instant) -> String? {
        guard let access = accessTokens[token], now < access.expiresAt else { return nil }
        return access.person
    }

    // MARK: The authorization endpoint

    /// Whether a browser may be sent back from `form` at all.
    package func knows(_ form: MockForm) -> Bool {
        form["client_id"] ?? "" == configuration.clientID && redirectURIs.contains(form["redirect_uri"] ?? "")
    }

    /// A code for the request `form` (RFC 6749 §4.1.2, RFC 7636 §4.4).
    package mutating func issueCode(
        for person: String,
        _ form: MockForm,
        at now: Instant,
        _ inputs: MachineInputs
    ) -> String {
        if codes.count >= Self.most { codes = [:] }
        let code = Base64URL.encode(inputs.randomBytes(24))
        codes[code] = Code(
            person: person,
            redirectURI: form["redirect_uri"] ?? "",
            challenge: configuration.takesCodeChallenge ? form["code_challenge"] : nil,
            expiresAt: now + configuration.codeLifetime
        )
        return code
    }

    /// Sends the browser back, to an address with a query or without one.
    package func back(_ form: MockForm, _ answer: [(String, String)]) -> MockReply {
        var parameters = answer
        if let state = form["state"] { parameters.append(("state", state)) }
        if let issuer = configuration.issuer { parameters.append(("iss", issuer)) }
        return .redirect(to: QueryText.add(parameters, to: form["redirect_uri"] ?? ""))
    }

    // MARK: The token endpoint

    /// Tokens for a code or for a refresh token, each of which counts once (RFC 6749 §4.1.3, §6).
    mutating func trade(
        _ form: MockForm,
        from client: MockCredentials,
        at now: Instant,
        _ inputs: MachineInputs
    ) throws(TokenError) -> TokenReply {
        lastTokenParameters = form.names.sorted()
        try check(client)
        switch form["grant_type"] {
        case "authorization_code": return issue(for: try redeem(form, at: now), at: now, inputs)
        case "refresh_token":
            guard let token = form["refresh_token"] else { throw .invalidRequest }
            guard let person = refreshTokens.removeValue(forKey: token) else { throw .invalidGrant }
            return issue(for: person, at: now, inputs)
        default: throw .unsupportedGrantType
        }
    }

    private func check(_ client: MockCredentials) throws(TokenError) {
        guard client.id == configuration.clientID else { throw .invalidClient }
        guard let secret = configuration.clientSecret else { return }
        guard let shown = client.secret, Secret(shown) == secret else { throw .invalidClient }
    }

    /// The person of a code, at the same redirect URI and with its verifier (RFC 7636 §4.6).
    ///
    /// `redirect_uri` may be left out where it is not needed, as the app of seed 002 does.
    private mutating func redeem(_ form: MockForm, at now: Instant) throws(TokenError) -> String {
        guard let code = form["code"], !configuration.neededWithCode.contains(where: { form[$0] == nil }) else {
            throw .invalidRequest
        }
        let redirectURI = form["redirect_uri"]
        guard let known = codes.removeValue(forKey: code), now < known.expiresAt,
            redirectURI == nil || redirectURI == known.redirectURI
        else { throw .invalidGrant }
        if let challenge = known.challenge {
            guard let verifier = form["code_verifier"], Self.challenge(of: verifier) == challenge else {
                throw .invalidGrant
            }
        }
        return known.person
    }

    private mutating func issue(for person: String, at now: Instant, _ inputs: MachineInputs) -> TokenReply {
        if accessTokens.count >= Self.most { accessTokens = [:] }
        if refreshTokens.count >= Self.most { refreshTokens = [:] }
        let access = "\(configuration.tokenPrefix)-at-" + Base64URL.encode(inputs.randomBytes(24))
        let refresh = "\(configuration.tokenPrefix)-rt-" + Base64URL.encode(inputs.randomBytes(24))
        accessTokens[access] = AccessToken(person: person, expiresAt: now + configuration.accessTokenLifetime)
        refreshTokens[refresh] = person
        return TokenReply(
            access: access,
            refresh: refresh,
            seconds: configuration.accessTokenLifetime.wholeMilliseconds / 1000,
            furtherMembers: configuration.furtherMembers
        )
    }

    /// RFC 7636 §4.2.
    private static func challenge(of verifier: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8))))
    }
}
