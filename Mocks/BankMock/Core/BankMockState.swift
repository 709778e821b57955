import Crypto
import Kernel
import MockServing

/// Everything that the mock knows, as a value: no clock, no randomness and no I/O of its own.
package struct BankMockState: Sendable {
    /// The oldest go first.
    private static let most = 10_000

    let configuration: BankMockConfiguration
    /// Where browsers may be sent back to.
    package var redirectURIs: Set<String>
    package private(set) var customers: [BankCustomer]
    private var codes: [String: Code] = [:]
    private var accessTokens: [String: AccessToken] = [:]
    /// The customer of each refresh token that was not used yet.
    private var refreshTokens: [String: String] = [:]
    private var faults: [BankCall: BankFault] = [:]
    package private(set) var counts: [BankCall: Int] = [:]

    package init(_ configuration: BankMockConfiguration) {
        self.configuration = configuration
        redirectURIs = configuration.redirectURIs
        customers = configuration.customers
    }

    private struct Code: Sendable {
        let customer: String
        let redirectURI: String
        let challenge: String
        let expiresAt: Instant
    }

    private struct AccessToken: Sendable {
        let customer: String
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

    package mutating func setFault(_ fault: BankFault?, on call: BankCall) { faults[call] = fault }

    package mutating func clearFaults() { faults = [:] }

    /// Forgets what was counted, and keeps whom it let in.
    package mutating func clearCounts() { counts = [:] }

    /// Gives a customer other cards; `false` for a customer whom it does not know.
    package mutating func setCards(_ cards: [BankMockCard], of customer: String) -> Bool {
        guard let index = customers.firstIndex(where: { $0.id == customer }) else { return false }
        customers[index].cards = cards
        return true
    }

    /// Takes all tokens back, as when customers withdraw what they agreed to.
    package mutating func revokeTokens() {
        accessTokens = [:]
        refreshTokens = [:]
    }

    /// Counts a call, and says what goes wrong with it.
    mutating func begin(_ call: BankCall) -> BankFault? {
        counts[call, default: 0] += 1
        guard let fault = faults[call] else { return nil }
        if let left = fault.left {
            faults[call]?.left = left - 1
            if left <= 1 { faults[call] = nil }
        }
        return fault
    }

    // MARK: The page

    func isKnown(client: String, redirectURI: String) -> Bool {
        client == configuration.clientID && redirectURIs.contains(redirectURI)
    }

    /// A code for that customer; `nil` for one whom the bank does not know.
    mutating func issueCode(
        for customer: String,
        redirectURI: String,
        challenge: String,
        at now: Instant,
        _ inputs: MachineInputs
    ) -> String? {
        guard customers.contains(where: { $0.id == customer }) else { return nil }
        if codes.count >= Self.most { codes = [:] }
        let code = Base64URL.encode(inputs.randomBytes(24))
        codes[code] = Code(
            customer: customer,
            redirectURI: redirectURI,
            challenge: challenge,
            expiresAt: now + configuration.codeLifetime
        )
        return code
    }

    // MARK: Tokens

    func checkClient(_ client: MockCredentials) throws(Refusal) {
        guard client.id == configuration.clientID else { throw .invalidClient }
        guard let secret = configuration.clientSecret else { return }
        guard let shown = client.secret, Secret(shown) == secret else { throw .invalidClient }
    }

    /// A code counts once, at the same redirect URI and with its verifier (RFC 6749 §4.1.3, RFC 7636 §4.6).
    mutating func redeem(
        _ code: String,
        redirectURI: String,
        verifier: String,
        at now: Instant,
        _ inputs: MachineInputs
    ) throws(Refusal) -> Tokens {
        guard let known = codes.removeValue(forKey: code), now < known.expiresAt, redirectURI == known.redirectURI,
            Self.challenge(of: verifier) == known.challenge
        else { throw .invalidGrant }
        return issue(for: known.customer, at: now, inputs)
    }

    /// A refresh token counts once.
    mutating func refresh(_ token: String, at now: Instant, _ inputs: MachineInputs) throws(Refusal) -> Tokens {
        guard let customer = refreshTokens.removeValue(forKey: token) else { throw .invalidGrant }
        return issue(for: customer, at: now, inputs)
    }

    private mutating func issue(for customer: String, at now: Instant, _ inputs: MachineInputs) -> Tokens {
        if accessTokens.count >= Self.most { accessTokens = [:] }
        if refreshTokens.count >= Self.most { refreshTokens = [:] }
        let access = "bank-at-" + Base64URL.encode(inputs.randomBytes(24))
        let refresh = "bank-rt-" + Base64URL.encode(inputs.randomBytes(24))
        accessTokens[access] = AccessToken(customer: customer, expiresAt: now + configuration.accessTokenLifetime)
        refreshTokens[refresh] = customer
        return Tokens(
            access: access,
            refresh: refresh,
            seconds: configuration.accessTokenLifetime.wholeMilliseconds / 1000
        )
    }

    // MARK: Cards

    /// The cards of whomever an access token is of; `nil` for one that is not good, or not any more.
    func cards(behind token: String, at now: Instant) -> [BankMockCard]? {
        guard let access = accessTokens[token], now < access.expiresAt else { return nil }
        return customers.first { $0.id == access.customer }?.cards
    }

    /// RFC 7636 §4.2.
    private static func challenge(of verifier: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8))))
    }
}
