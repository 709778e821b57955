package import Kernel

/// The use cases of the device authorization grant (RFC 8628): a device asks, a person decides, the device gets tokens.
package struct DeviceFlowService: Sendable {
    private let environment: Environment
    private let unitOfWork: any UnitOfWork
    private let store: any DeviceAuthorizationStore
    private let key: UserCodeKey
    package let policy: DeviceFlowPolicy

    package init(
        environment: Environment,
        unitOfWork: any UnitOfWork,
        store: any DeviceAuthorizationStore,
        key: UserCodeKey,
        policy: DeviceFlowPolicy
    ) {
        self.environment = environment
        self.unitOfWork = unitOfWork
        self.store = store
        self.key = key
        self.policy = policy
    }

    // MARK: The device

    /// Stores a device's request, and creates its two codes.
    ///
    /// - Throws: ``OAuthError`` `temporarily_unavailable` where no free user code was found; ``StoreError``.
    package func begin(_ request: DeviceFlowRequest) async throws -> BegunDeviceFlow {
        // With the most open requests, a drawn user code is already taken once in 256,000 times.
        for _ in 0..<Self.draws {
            let (deviceCode, userCode) = (environment.newSecret(), UserCode(environment))
            let authorization = authorization(for: request, Digest256(sha256: deviceCode.expose()), userCode)
            let isKept = try await unitOfWork.run { [store] transaction in
                try store.insert(
                    authorization,
                    keepingPerSource: DeviceFlowPolicy.openPerSource,
                    inAll: DeviceFlowPolicy.openInAll,
                    in: transaction
                )
            }
            if isKept { return BegunDeviceFlow(deviceCode: deviceCode, userCode: userCode) }
        }
        throw OAuthError(
            .temporarilyUnavailable,
            "Too many devices are waiting. Try again in a minute.",
            retryAfter: 60
        )
    }

    /// Throws the error for a device's poll while there is no grant.
    ///
    /// Nothing is changed.
    ///
    /// - Throws: ``OAuthError`` as ``redeem(_:by:in:)``; ``StoreError``.
    package func poll(_ deviceCode: String, by authenticated: AuthenticatedClient) async throws {
        let held = try await unitOfWork.read { [store] in
            try store.find(deviceCode: Digest256(sha256: deviceCode), in: $0)
        }
        guard let held else {
            throw DeviceAuthorization.unknownCode
        }
        _ = try held.grant(to: authenticated.client.id, at: environment.now())
    }

    /// Redeems a device code, in the unit of work that opens its session: of several polls at once, one gets the grant.
    ///
    /// A second use grants nothing, and does not end the session. Only the device has the code, and an app may poll
    /// twice on a bad network.
    /// - Throws: ``OAuthError`` of RFC 8628 §3.5; ``StoreError``.
    package func redeem(
        _ deviceCode: String,
        by authenticated: AuthenticatedClient,
        in transaction: borrowing Transaction
    ) throws -> AuthorizedGrant {
        guard let held = try store.find(deviceCode: Digest256(sha256: deviceCode), in: transaction) else {
            throw DeviceAuthorization.unknownCode
        }
        let grant = try held.grant(to: authenticated.client.id, at: environment.now())
        guard try store.update(held.redeemed(), over: .approved, in: transaction) else {
            throw DeviceAuthorization.unknownCode
        }
        return grant
    }

    // MARK: The person

    /// Returns the request with that user code, if it waits for a decision.
    package func pending(_ code: UserCode) async throws -> DeviceAuthorization? {
        let held = try await unitOfWork.read { [store, key] in try store.find(userCode: key.digest(code), in: $0) }
        guard let held, held.isOpen(at: environment.now()) else { return nil }
        return held
    }

    /// Stores a person's decision, in the caller's unit of work; returns `nil` if the request has expired or was
    /// decided.
    package func decide(
        _ code: UserCode,
        _ decision: DeviceDecision,
        in transaction: borrowing Transaction
    ) throws -> DeviceAuthorization? {
        guard let held = try store.find(userCode: key.digest(code), in: transaction),
            let decided = held.decided(decision, at: environment.now()),
            try store.update(decided, over: .pending, in: transaction)
        else { return nil }
        return decided
    }

    private static let draws = 3

    private func authorization(
        for request: DeviceFlowRequest,
        _ deviceCode: Digest256,
        _ userCode: UserCode
    ) -> DeviceAuthorization {
        let now = environment.now()
        return DeviceAuthorization(
            deviceCode: deviceCode,
            userCode: key.digest(userCode),
            access: request.access,
            source: request.source,
            origin: request.origin,
            createdAt: now,
            expiresAt: now + policy.lifetime
        )
    }
}

/// The two codes of a stored request.
package struct BegunDeviceFlow: Sendable {
    package let deviceCode: Secret
    package let userCode: UserCode
}

/// The lifetime, the poll interval and the limits of device requests.
///
/// RFC 8628 §5.1: of 20⁸ = 2.56 × 10¹⁰ codes, an account can try 16 while a request lives, which is ten minutes. These
/// are 12 at once and one each 150 s. A correct code does not count as a try. So one account guesses one given request
/// with a chance of 16 / 20⁸ = 6.3 × 10⁻¹⁰ = 2⁻³⁰·⁶. An address with many accounts can try 160 (100 and one each 10 s):
/// 2⁻²⁷·³. With a thousand open requests, an account guesses any of them once in 1.6 million lifetimes. The attacker
/// then gives an unknown device a session of the attacker's own account. Buying a device would give them the same.
package struct DeviceFlowPolicy: Sendable, Equatable {
    /// The lifetime of a request (`expires_in`).
    package var lifetime: Duration
    /// The least time between two polls of a device (`interval`).
    package var interval: Duration

    package init(lifetime: Duration = .seconds(600), interval: Duration = .seconds(5)) {
        self.lifetime = lifetime
        self.interval = interval
    }

    /// The most requests of one address (a /64 network of IPv6).
    ///
    /// A further request replaces the oldest of that address.
    package static let openPerSource = 1000
    /// The most requests of all addresses.
    ///
    /// A further request replaces the oldest.
    package static let openInAll = 100_000
    /// The time for which an expired request is kept, so that its device is told the outcome.
    package static let memory: Duration = .seconds(3600)
    /// The limit of tries at user codes by one account: a burst, and one more after each interval.
    package static let triesPerAccount = RateLimit(burst: 12, every: .seconds(150))
    /// The limit of tries at user codes from one address.
    package static let triesPerAddress = RateLimit(burst: 100, every: .seconds(10))
}
