import Kernel

/// The rights and lifetimes of a client (an app), as they were when an operation began.
///
/// All operations that began under the same policy share one instance.
package final class ClientPolicy: Sendable, Equatable {
    /// The client's id (`client_id` in its tokens).
    package let clientID: String
    /// The audience of the client's tokens.
    package let audience: String
    package let verifier: Verifier
    package let initiators: Initiators
    package let timing: OperationTiming
    package let accessTokenLifetime: Duration
    package let refreshTokenLifetime: Duration
    package let landing: LandingPolicy

    package init(
        clientID: String,
        audience: String,
        verifier: Verifier,
        initiators: Initiators,
        timing: OperationTiming,
        accessTokenLifetime: Duration,
        refreshTokenLifetime: Duration,
        landing: LandingPolicy = LandingPolicy()
    ) {
        self.clientID = clientID
        self.audience = audience
        self.verifier = verifier
        self.initiators = initiators
        self.timing = timing
        self.accessTokenLifetime = accessTokenLifetime
        self.refreshTokenLifetime = refreshTokenLifetime
        self.landing = landing
    }

    /// Whether a request to begin an operation must present a code challenge (RFC 7636).
    package enum Verifier: String, Sendable, CaseIterable {
        case required, optional
    }

    /// The callers that may start a login for an account.
    package enum Initiators: String, Sendable, CaseIterable {
        /// Anybody who knows the e-mail address. The initiator can forward the provider's page to the person.
        case anyone
        /// A device that is linked to the account, while any other caller gets a decoy.
        case knownDevice = "known-device"
    }

    package static func == (left: ClientPolicy, right: ClientPolicy) -> Bool {
        left === right
            || (left.clientID == right.clientID && left.audience == right.audience && left.verifier == right.verifier
                && left.initiators == right.initiators && left.timing == right.timing
                && left.accessTokenLifetime == right.accessTokenLifetime
                && left.refreshTokenLifetime == right.refreshTokenLifetime && left.landing == right.landing)
    }
}

/// How long an operation may take, from its start to its last collection.
package struct OperationTiming: Sendable, Equatable {
    /// From the start to the deadline.
    package let lifetime: Duration
    /// From the approval to the latest first collection.
    package let approvalWindow: Duration
    /// From the first collection to the latest repeated one.
    package let redemptionWindow: Duration

    package init(lifetime: Duration, approvalWindow: Duration, redemptionWindow: Duration) {
        self.lifetime = lifetime
        self.approvalWindow = approvalWindow
        self.redemptionWindow = redemptionWindow
    }
}

/// The clients in the config, by id.
package struct ClientDirectory: Sendable {
    private let policies: [String: ClientPolicy]
    private let defaultID: String?
    private let surfaces: [String: Set<String>]

    /// `surfaces`: The surfaces that serve a client, by client id; every surface, for a client that is not listed.
    package init(policies: [ClientPolicy], defaultID: String?, surfaces: [String: Set<String>] = [:]) {
        self.surfaces = surfaces
        self.policies = Dictionary(policies.map { ($0.clientID, $0) }, uniquingKeysWith: { first, _ in first })
        self.defaultID = defaultID
    }

    /// The ids of all clients.
    package var ids: Set<String> { Set(policies.keys) }

    /// The clients whose logins only known devices may start.
    package var ofKnownDevices: [String] {
        policies.values.filter { $0.initiators == .knownDevice }.map(\.clientID).sorted()
    }

    /// Why a request is refused for the client that it names, or because it names none.
    package enum ValidationError: Error, Equatable {
        /// The request names no client, and neither its surface nor the config has a default one.
        case required
        case unknown
        /// The request names a client that only other surfaces serve.
        case elsewhere
    }

    /// Returns the client that the request names, or else its surface's client, or else the default one.
    package func client(named id: String?, surface: String?) throws(ValidationError) -> ClientPolicy {
        guard let chosen = id ?? surface ?? defaultID else { throw .required }
        guard let policy = policies[chosen] else { throw .unknown }
        return policy
    }

    /// Returns the client of a request, if the surface called `name` serves that client.
    package func client(named id: String?, surface: String?, at name: String) throws(ValidationError) -> ClientPolicy {
        let policy = try client(named: id, surface: surface)
        guard surfaces[policy.clientID]?.contains(name) ?? true else { throw .elsewhere }
        return policy
    }
}
