import Crypto
import Kernel
import MockServing

/// Everything that the mock knows, as a value: no clock, no randomness and no I/O of its own.
package struct UpstreamMockState: Sendable {
    /// The oldest go first.
    private static let most = 10_000

    let configuration: UpstreamMockConfiguration
    /// Where browsers may be sent back to.
    package var redirectURIs: Set<String>
    private var codes: [String: Code] = [:]
    private var accessTokens: [String: AccessToken] = [:]
    /// The person of each refresh token that was not used yet.
    private var refreshTokens: [String: String] = [:]
    private var faults: [UpstreamCall: UpstreamFault] = [:]
    package private(set) var counts: [UpstreamCall: Int] = [:]
    /// Parameter names of the last call to the token endpoint, so that a test can prove what was not sent.
    package private(set) var lastTokenParameters: [String] = []

    package init(_ configuration: UpstreamMockConfiguration) {
        self.configuration = configuration
        redirectURIs = configuration.redirectURIs
    }

    struct Code: Sendable {
        let person: String
        let redirectURI: String
        let challenge: String?
        let expiresAt: Instant
    }

    struct AccessToken: Sendable {
        let person: String
        let expiresAt: Instant
    }

    struct Tokens: Sendable, Equatable {
        let access: String
        let refresh: String
        let seconds: Int64
    }

    /// Why the token endpoint gives nothing (RFC 6749 §5.2).
    enum Refusal: String, Error, Sendable {
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case invalidRequest = "invalid_request"
        case unsupportedGrantType = "unsupported_grant_type"
    }

    // MARK: Control

    package mutating func setFault(_ fault: UpstreamFault?, on call: UpstreamCall) { faults[call] = fault }

    package mutating func clearFaults() { faults = [:] }

    /// Forgets what was counted, and keeps who is signed in.
    package mutating func clearCounts() { counts = [:] }

    /// Counts a call, and says what goes wrong with it.
    mutating func begin(_ call: UpstreamCall) -> UpstreamFault? {
        counts[call, default: 0] += 1
        guard let fault = faults[call] else { return nil }
        if let left = fault.left {
            faults[call]?.left = left - 1
            if left <= 1 { faults[call] = nil }
        }
        return fault
    }

    mutating func note(tokenParameters names: [String]) { lastTokenParameters = names.sorted() }

    // MARK: Signing in

    func isKnown(client: String, redirectURI: String) -> Bool {
        client == configuration.clientID && redirectURIs.contains(redirectURI)
    }

    /// The id of whoever has that password, a closed account as well: the lookup tells.
    func person(email: String, password: String) -> String? {
        configuration.people.first { $0.email == email && $0.password == Secret(password) }?.id
    }

    mutating func issueCode(
        for person: String,
        redirectURI: String,
        challenge: String?,
        at now: Instant,
        _ inputs: MachineInputs
    ) -> String {
        if codes.count >= Self.most { codes = [:] }
        let code = Base64URL.encode(inputs.randomBytes(24))
        codes[code] = Code(
            person: person,
            redirectURI: redirectURI,
            challenge: configuration.takesCodeChallenge ? challenge : nil,
            expiresAt: now + configuration.codeLifetime
        )
        return code
    }

    // MARK: Tokens

    func checkClient(_ id: String?, _ secret: String?) throws(Refusal) {
        guard id == configuration.clientID, let secret, Secret(secret) == configuration.clientSecret else {
            throw .invalidClient
        }
    }

    /// A code counts once; `redirect_uri` may be left out, as the app of seed 002 does.
    mutating func redeem(
        _ code: String,
        redirectURI: String?,
        verifier: String?,
        at now: Instant,
        _ inputs: MachineInputs
    ) throws(Refusal) -> Tokens {
        guard let known = codes.removeValue(forKey: code), now < known.expiresAt,
            redirectURI == nil || redirectURI == known.redirectURI
        else { throw .invalidGrant }
        if let challenge = known.challenge {
            guard let verifier, Self.challenge(of: verifier) == challenge else { throw .invalidGrant }
        }
        return issue(for: known.person, at: now, inputs)
    }

    /// A refresh token counts once.
    mutating func refresh(
        _ token: String,
        at now: Instant,
        _ inputs: MachineInputs
    ) throws(Refusal) -> Tokens {
        guard let person = refreshTokens.removeValue(forKey: token) else { throw .invalidGrant }
        return issue(for: person, at: now, inputs)
    }

    private mutating func issue(for person: String, at now: Instant, _ inputs: MachineInputs) -> Tokens {
        if accessTokens.count >= Self.most { accessTokens = [:] }
        if refreshTokens.count >= Self.most { refreshTokens = [:] }
        let access = "up-at-" + Base64URL.encode(inputs.randomBytes(24))
        let refresh = "up-rt-" + Base64URL.encode(inputs.randomBytes(24))
        accessTokens[access] = AccessToken(person: person, expiresAt: now + configuration.accessTokenLifetime)
        refreshTokens[refresh] = person
        return Tokens(
            access: access,
            refresh: refresh,
            seconds: configuration.accessTokenLifetime.wholeMilliseconds / 1000
        )
    }

    // MARK: People

    /// Whoever an access token is of; `nil` for one that is not good, or not any more.
    func person(behind token: String, at now: Instant) -> UpstreamPerson? {
        guard let access = accessTokens[token], now < access.expiresAt else { return nil }
        return person(access.person)
    }

    func person(_ id: String) -> UpstreamPerson? { configuration.people.first { $0.id == id } }

    /// RFC 7636 §4.2.
    private static func challenge(of verifier: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8))))
    }
}
