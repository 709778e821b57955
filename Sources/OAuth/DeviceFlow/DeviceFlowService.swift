package import Kernel

/// The use cases of the device authorization grant (RFC 8628): a device asks, a person answers, the device collects.
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

    /// Keeps a device's request, and gives it its two codes.
    ///
    /// - Throws: ``OAuthError`` `temporarily_unavailable` where no free user code was found; ``StoreError``.
    package func begin(_ request: DeviceFlowRequest) async throws -> BegunDeviceFlow {
        // With all places taken a drawn code is another's once in 256,000 times.
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
        throw OAuthError(.temporarilyUnavailable, "Too many devices are waiting.", retryAfter: 60)
    }

    /// What a device's poll is told as long as there is nothing to collect: thrown, and nothing is changed.
    ///
    /// - Throws: ``OAuthError`` as ``redeem(_:by:in:)``; ``StoreError``.
    package func poll(_ deviceCode: String, by client: AuthenticatedClient) async throws {
        guard let held = try await store.find(deviceCode: Digest256(sha256: deviceCode)) else {
            throw DeviceAuthorization.unknownCode
        }
        _ = try held.grant(to: client.client.id, at: environment.now())
    }

    /// Uses a device code up, in the unit of work of what it opens: of many polls at once one gets the grant.
    ///
    /// A code that was used grants nothing more. Its replay ends no session either: only the device has the code, and an app
    /// that polls twice in a moment of bad network is no thief.
    /// - Throws: ``OAuthError`` of RFC 8628 §3.5; ``StoreError``.
    package func redeem(
        _ deviceCode: String,
        by client: AuthenticatedClient,
        in transaction: borrowing Transaction
    ) throws -> AuthorizedGrant {
        guard let held = try store.find(deviceCode: Digest256(sha256: deviceCode), in: transaction) else {
            throw DeviceAuthorization.unknownCode
        }
        let grant = try held.grant(to: client.client.id, at: environment.now())
        guard try store.update(held.redeemed(), over: .approved, in: transaction) else {
            throw DeviceAuthorization.unknownCode
        }
        return grant
    }

    // MARK: The person

    /// The request of that user code, if it waits for an answer.
    package func pending(_ code: UserCode) async throws -> DeviceAuthorization? {
        guard let held = try await store.find(userCode: key.digest(code)), held.isOpen(at: environment.now()) else {
            return nil
        }
        return held
    }

    /// Writes a person's word, in the caller's unit of work; `nil` if the request is over, or has had one.
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
            clientID: request.clientID,
            scopes: request.scopes,
            resources: request.resources,
            source: request.source,
            origin: request.origin,
            createdAt: now,
            expiresAt: now + policy.lifetime
        )
    }
}

/// The two codes of a request that was kept.
package struct BegunDeviceFlow: Sendable {
    package let deviceCode: Secret
    package let userCode: UserCode
}

/// How long a device's request waits, how often it asks, and what a guess at its user code is worth.
///
/// RFC 8628 §5.1: of 20⁸ = 2.56 × 10¹⁰ codes, an account tries 16 in the ten minutes of a request's life at the most (12 at
/// once and one each 150 s; a right code costs none of them). So one account hits one given request with a chance of
/// 16 / 20⁸ = 6.3 × 10⁻¹⁰ = 2⁻³⁰·⁶. An address of many accounts tries 160 (100 and one each 10 s): 2⁻²⁷·³. With a thousand
/// requests open at a time an account finds any of them once in 1.6 million lives of a request; and whoever does has given a
/// stranger's device a session of their own account, which is what they could have had by buying one.
package struct DeviceFlowPolicy: Sendable, Equatable {
    /// `expires_in`.
    package var lifetime: Duration
    /// `interval`: how long a device waits between two polls, at least.
    package var interval: Duration

    package init(lifetime: Duration = .seconds(600), interval: Duration = .seconds(5)) {
        self.lifetime = lifetime
        self.interval = interval
    }

    /// Requests of one address (a /64 of IPv6): a further one takes the place of its oldest.
    package static let openPerSource = 1000
    /// In all: a further one takes the place of the oldest.
    package static let openInAll = 100_000
    /// For how long an expired request is remembered, so that its device is told what became of it.
    package static let memory: Duration = .seconds(3600)
    /// Tries at user codes by one account: so many at once, and one more each so often.
    package static let triesPerAccount = RateLimit(burst: 12, every: .seconds(150))
    /// The same from one address.
    package static let triesPerAddress = RateLimit(burst: 100, every: .seconds(10))
}
