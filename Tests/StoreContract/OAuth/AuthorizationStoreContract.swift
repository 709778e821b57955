package import Kernel
package import OAuth
import Testing

/// The contract of every store of authorization requests, codes and consents, one case a promise.
package enum AuthorizationStoreContract: String, StorePromise {
    case interactionComesBack = "an interaction comes back as it was written, and as it was changed"
    case interactionEndsOnce = "of many ends of an interaction one counts"
    case interactionsAreBounded = "there are so many interactions, of which the newest stay"
    case codeComesBack = "a code comes back as it was written, with all that it is bound to"
    // O-045
    case codeIsUsedOnce = "of many redemptions at once one counts, and none after the code has expired"
    case codeRemembersSession = "a code that was used knows what it opened, and no other does"
    case undoes = "what a failing unit redeemed can be redeemed"
    // O-026
    case pushedIsTakenOnce = "a pushed request is taken once, by its client, in its time"
    case pushedAreBounded = "there are so many pushed requests, of which the newest stay"
    // O-027
    case pushedAreBoundedByClient =
        "a client has so many pushed requests that have not expired, and another's room is its own"
    case consentIsReplaced = "a consent comes back as it was written last"
    case consentsAreOfSessions =
        "consents of one client are kept by the session they were given in, and the newest 32 stay"
    case consentsAreListed = "a person's consents are listed by client, so many of them, and no one else's"
    case consentIsTakenBack = "a consent that was taken back is gone, and no other client's with it"
    // O-087
    case consentsOfClientEnd = "all that people agreed that one client gets goes at once, and no other client's with it"
    case purges = "what has expired is purged, in batches, and nothing else"

    /// Checks this promise over empty stores that have that account.
    package func check(_ stores: AuthorizationStores, account: AccountID) async throws {
        let subject = AuthorizationsUnderTest(stores: stores, account: account)
        switch self {
        case .interactionComesBack: try await subject.checkInteraction()
        case .interactionEndsOnce: try await subject.checkEnd()
        case .interactionsAreBounded: try await subject.checkInteractionBound()
        case .codeComesBack: try await subject.checkCode()
        case .codeIsUsedOnce: try await subject.checkRedeeming()
        case .codeRemembersSession: try await subject.checkSession()
        case .undoes: try await subject.checkUndoing()
        case .pushedIsTakenOnce: try await subject.checkTaking()
        case .pushedAreBounded: try await subject.checkPushedBound()
        case .pushedAreBoundedByClient: try await subject.checkPushedOfClient()
        case .consentIsReplaced: try await subject.checkConsent()
        case .consentsAreOfSessions: try await subject.checkConsentsOfSessions()
        case .consentsAreListed: try await subject.checkListing()
        case .consentIsTakenBack: try await subject.checkTakingBack()
        case .consentsOfClientEnd: try await subject.checkEndOfConsents()
        case .purges: try await subject.checkPurging()
        }
    }
}

/// The stores of one storage.
package struct AuthorizationStores: Sendable {
    let unitOfWork: any UnitOfWork
    let interactions: any InteractionStore
    let codes: any AuthorizationCodeStore
    let pushed: any PushedRequestStore
    let consents: any ConsentStore
    let purging: Purging

    /// The deletions of what has expired, store by store.
    package typealias Purging = (interactions: Purge, codes: Purge, pushed: Purge, consents: Purge)

    package init(
        unitOfWork: any UnitOfWork,
        interactions: any InteractionStore,
        codes: any AuthorizationCodeStore,
        pushed: any PushedRequestStore,
        consents: any ConsentStore,
        purging: Purging
    ) {
        self.purging = purging
        self.unitOfWork = unitOfWork
        self.interactions = interactions
        self.codes = codes
        self.pushed = pushed
        self.consents = consents
    }
}

private struct AuthorizationsUnderTest {
    let stores: AuthorizationStores
    let account: AccountID

    private var sample: AuthorizationSample { AuthorizationSample(account: account) }
    private static var now: Instant { AuthorizationSample.now }

    func checkInteraction() async throws {
        let (full, bare) = (sample.interaction(1), sample.interaction(2, request: sample.bareRequest))
        try await insert([full, bare])
        #expect(try await interaction(full.id) == full)
        #expect(try await interaction(bare.id) == bare)
        #expect(try await interaction(AuthorizationSample.digest(9)) == nil)
        let changed = sample.interaction(1, proves: true)
        let wasThere = try await stores.unitOfWork.run { [stores] transaction in
            try (
                stores.interactions.update(changed, in: transaction),
                stores.interactions.update(sample.interaction(9), in: transaction)
            )
        }
        #expect(wasThere.0 && !wasThere.1)
        #expect(try await interaction(full.id) == changed)
        let inside = try await stores.unitOfWork.run { [stores] in try stores.interactions.find(bare.id, in: $0) }
        #expect(inside == bare)
        await #expect(throws: (any Error).self) { try await insert([full]) }
    }

    func checkEnd() async throws {
        let open = sample.interaction(1)
        try await insert([open])
        let ends = try await count { [stores] in try stores.interactions.remove(open.id, in: $0) }
        #expect(ends == 1)
        #expect(try await interaction(open.id) == nil)
    }

    func checkInteractionBound() async throws {
        for number in 1...5 as ClosedRange<UInt64> { try await insert([sample.interaction(number)], keeping: 3) }
        for number in 1...5 as ClosedRange<UInt64> {
            let found = try await interaction(AuthorizationSample.digest(number))
            #expect((found != nil) == (number > 2), "\(number)")
        }
    }

    func checkCode() async throws {
        let (full, bare) = (sample.code(1), sample.bareCode(2))
        try await insert([full, bare])
        #expect(try await code(1) == full)
        #expect(try await code(2) == bare)
        #expect(try await code(3) == nil)
        let beside = try await stores.unitOfWork.read { [stores] in try stores.codes.find(full.digest, in: $0) }
        #expect(beside == full, "beside the writer as well")
        let none = try await stores.unitOfWork.read { [stores] in
            try stores.codes.find(AuthorizationSample.digest(3), in: $0)
        }
        #expect(none == nil)
        await #expect(throws: (any Error).self) { try await insert([full]) }
    }

    func checkRedeeming() async throws {
        try await insert([sample.code(1), sample.code(2)])
        let digest = AuthorizationSample.digest(1)
        let redeemed = try await count { [stores] in try stores.codes.redeem(digest, at: Self.now, in: $0) }
        #expect(redeemed == 1)
        #expect(try await code(1)?.redeemedAt == Self.now)
        let late = AuthorizationSample.digest(2)
        let end = sample.code(2).expiresAt
        #expect(try await !redeem(late, at: end), "expired")
        #expect(try await redeem(late, at: end - .milliseconds(1)))
        #expect(try await !redeem(AuthorizationSample.digest(9), at: Self.now), "there is none")
    }

    func checkSession() async throws {
        try await insert([sample.code(1), sample.code(2)])
        let session = SessionID(UUIDBits(high: 7, low: 7))
        _ = try await redeem(AuthorizationSample.digest(1), at: Self.now)
        try await stores.unitOfWork.run { [stores] transaction in
            for number in 1...2 as ClosedRange<UInt64> {
                try stores.codes.note(session: session, for: AuthorizationSample.digest(number), in: transaction)
            }
        }
        #expect(try await code(1)?.session == session)
        #expect(try await code(2)?.session == nil, "it opened nothing")
    }

    func checkUndoing() async throws {
        try await insert([sample.code(1)])
        let digest = AuthorizationSample.digest(1)
        await #expect(throws: InjectedError.self) {
            try await stores.unitOfWork.run { [stores] transaction in
                _ = try stores.codes.redeem(digest, at: Self.now, in: transaction)
                throw InjectedError()
            }
        }
        #expect(try await redeem(digest, at: Self.now))
    }

    func checkTaking() async throws {
        let (first, second) = (sample.pushed(1), sample.pushed(2))
        try await insert([first, second])
        #expect(try await take(1, of: "other", at: Self.now) == nil, "another's client changes nothing")
        let taken = try await withThrowingTaskGroup { group in
            for _ in 0..<8 { group.addTask { try await take(1, of: first.clientID, at: Self.now) } }
            return try await group.reduce(into: [PushedRequest]()) { all, one in if let one { all.append(one) } }
        }
        #expect(taken == [first])
        #expect(try await take(2, of: second.clientID, at: second.expiresAt) == nil, "expired")
        #expect(try await take(2, of: second.clientID, at: second.expiresAt - .milliseconds(1)) == second)
    }

    func checkPushedBound() async throws {
        for number in 1...5 as ClosedRange<UInt64> {
            let request = sample.pushed(number)
            try await stores.unitOfWork.run { [stores] in
                try stores.pushed.insert(request, keepingInAll: 3, in: $0)
            }
        }
        for number in 1...5 as ClosedRange<UInt64> {
            let found = try await take(number, of: "app", at: Self.now)
            #expect((found != nil) == (number > 2), "\(number)")
        }
    }

    func checkPushedOfClient() async throws {
        #expect(try await push(1, of: "app", at: Self.now))
        #expect(try await push(2, of: "app", at: Self.now))
        #expect(try await !push(3, of: "app", at: Self.now))
        #expect(try await push(4, of: "other", at: Self.now), "another's room")
        #expect(try await take(1, of: "app", at: Self.now) != nil)
        #expect(try await push(5, of: "app", at: Self.now), "one was used")
        #expect(try await push(6, of: "app", at: Self.now + .seconds(90)), "what has expired takes no room")
    }

    func checkListing() async throws {
        let (app, other) = (sample.consent(["openid"], 1), sample.consent(["email"], 2, client: "other"))
        for consent in [other, app] {
            try await stores.unitOfWork.run { [stores] in try stores.consents.put(consent, in: $0) }
        }
        #expect(try await listed(limit: 9) == [app, other])
        #expect(try await listed(limit: 1) == [app])
        let nobody = AccountID(UUIDBits(high: 0xFFFF, low: 1))
        let none = try await stores.unitOfWork.read { [stores] in
            try stores.consents.list(of: nobody, limit: 9, in: $0)
        }
        #expect(none.isEmpty)
    }

    private func listed(limit: Int) async throws -> [Consent] {
        try await stores.unitOfWork.read { [stores, account] in
            try stores.consents.list(of: account, limit: limit, in: $0)
        }
    }

    func checkEndOfConsents() async throws {
        let (ours, theirs) = (sample.consent(["openid"], 1), sample.consent(["openid"], 1, client: "other"))
        try await stores.unitOfWork.run { [stores] transaction in
            try stores.consents.put(ours, in: transaction)
            try stores.consents.put(theirs, in: transaction)
            try stores.consents.removeAll(of: "app", in: transaction)
        }
        #expect(try await consents(to: "app").isEmpty)
        #expect(try await consents(to: "other") == [theirs])
    }

    func checkConsent() async throws {
        let (first, second) = (sample.consent(["openid"], 1), sample.consent(["email", "openid"], 2))
        for consent in [first, second] {
            try await stores.unitOfWork.run { [stores] in try stores.consents.put(consent, in: $0) }
            #expect(try await consents(to: "app") == [consent])
        }
        let inside = try await stores.unitOfWork.run { [stores, account] in
            try stores.consents.find(account, client: "app", in: $0)
        }
        #expect(inside == [second])
        #expect(try await consents(to: "other").isEmpty)
    }

    func checkConsentsOfSessions() async throws {
        let consents = (0..<34).map { number in
            Consent(
                account: account,
                clientID: "app",
                origin: SessionID(UUIDBits(high: 5, low: UInt64(number))),
                scopes: ScopeSet(["openid"]),
                resources: [],
                grantedAt: AuthorizationSample.now + .seconds(number),
                expiresAt: AuthorizationSample.now + .seconds(3600)
            )
        }
        for consent in consents {
            try await stores.unitOfWork.run { [stores] in try stores.consents.put(consent, in: $0) }
        }
        let kept = try await self.consents(to: "app").sorted { $0.grantedAt < $1.grantedAt }
        #expect(kept == Array(consents.dropFirst(2)), "the newest stay, each with its session")
    }

    func checkTakingBack() async throws {
        let consent = sample.consent(["openid"], 1)
        try await stores.unitOfWork.run { [stores] in try stores.consents.put(consent, in: $0) }
        try await stores.unitOfWork.run { [stores, account] in
            try stores.consents.remove(account, client: "other", in: $0)
        }
        #expect(try await consents(to: "app") == [consent])
        for _ in 0..<2 {
            try await stores.unitOfWork.run { [stores, account] in
                try stores.consents.remove(account, client: "app", in: $0)
            }
            #expect(try await consents(to: "app").isEmpty)
        }
    }

    func checkPurging() async throws {
        try await insert([sample.interaction(1), sample.interaction(2), sample.interaction(3)])
        try await insert([sample.code(1), sample.code(2), sample.code(3)])
        try await insert([sample.pushed(1), sample.pushed(2), sample.pushed(3)])
        let consent = sample.consent(["openid"], 1)
        try await stores.unitOfWork.run { [stores] in try stores.consents.put(consent, in: $0) }
        // The third of each lasts longest.
        let instant = sample.code(3).expiresAt
        let purged = try await stores.unitOfWork.run { [stores] transaction in
            try [1, 100].map { limit in
                [
                    try stores.purging.interactions(instant, limit, transaction),
                    try stores.purging.codes(instant, limit, transaction),
                    try stores.purging.pushed(instant, limit, transaction),
                    try stores.purging.consents(consent.expiresAt, limit, transaction),
                ]
            }
        }
        #expect(purged == [[1, 1, 1, 0], [1, 1, 1, 0]])
        #expect(try await interaction(AuthorizationSample.digest(3)) != nil)
        #expect(try await code(3) != nil)
        let late = consent.expiresAt + .milliseconds(1)
        let dropped = try await stores.unitOfWork.run { [stores] in try stores.purging.consents(late, 9, $0) }
        #expect(dropped == 1)
        #expect(try await consents(to: "app").isEmpty)
    }

    // MARK: Shorthands

    /// Returns whether the request was taken, where a client may have two.
    private func push(_ number: UInt64, of client: String, at now: Instant) async throws -> Bool {
        let request = PushedRequest(
            digest: AuthorizationSample.digest(number),
            clientID: client,
            parameters: sample.pushed(number).parameters,
            createdAt: now,
            expiresAt: now + .seconds(90)
        )
        let isFull = try await stores.unitOfWork.read { [stores] in
            try stores.pushed.has(2, of: client, at: now, in: $0)
        }
        guard !isFull else { return false }
        try await stores.unitOfWork.run { [stores] in
            try stores.pushed.insert(request, keepingInAll: 100, in: $0)
        }
        return true
    }

    private func insert(_ all: [Interaction], keeping most: Int = 100) async throws {
        try await stores.unitOfWork.run { [stores] transaction in
            for one in all { try stores.interactions.insert(one, keepingInAll: most, in: transaction) }
        }
    }

    private func insert(_ all: [AuthorizationCode]) async throws {
        try await stores.unitOfWork.run { [stores] transaction in
            for one in all { try stores.codes.insert(one, in: transaction) }
        }
    }

    private func insert(_ all: [PushedRequest], keeping most: Int = 100) async throws {
        try await stores.unitOfWork.run { [stores] transaction in
            for one in all { try stores.pushed.insert(one, keepingInAll: most, in: transaction) }
        }
    }

    private func interaction(_ id: Digest256) async throws -> Interaction? {
        try await stores.unitOfWork.read { [stores] in try stores.interactions.find(id, in: $0) }
    }

    private func consents(to client: String) async throws -> [Consent] {
        try await stores.unitOfWork.read { [stores, account] in
            try stores.consents.find(account, client: client, in: $0)
        }
    }

    private func code(_ number: UInt64) async throws -> AuthorizationCode? {
        try await stores.unitOfWork.run { [stores] in
            try stores.codes.find(AuthorizationSample.digest(number), in: $0)
        }
    }

    private func redeem(_ digest: Digest256, at now: Instant) async throws -> Bool {
        try await stores.unitOfWork.run { [stores] in try stores.codes.redeem(digest, at: now, in: $0) }
    }

    private func take(_ number: UInt64, of client: String, at now: Instant) async throws -> PushedRequest? {
        try await stores.unitOfWork.run { [stores] in
            try stores.pushed.take(AuthorizationSample.digest(number), of: client, at: now, in: $0)
        }
    }

    /// Returns how many of eight units at once say yes.
    private func count(_ body: @escaping @Sendable (borrowing Transaction) throws -> Bool) async throws -> Int {
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 { group.addTask { try await stores.unitOfWork.run(body) } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
    }
}
