import Kernel
import MemoryStore
import Testing

@testable import Sessions

/// One invented history of a session: its app, whoever steals from it, the network between, restarts, revocations.
///
/// Everything follows from the seed. The expectation at each step is derived from the holders' tokens, not from the
/// program's state.
struct RefreshHistory {
    enum Kind: CaseIterable {
        /// Nothing but the token.
        case bearer
        /// A device credential, shown at each refresh.
        case credential
        /// A session that is bound to the device's key.
        case key
        /// A session whose tokens are bound to a key of the app's, which proves each refresh (RFC 9449).
        case bound
    }

    let seed: UInt64
    private let kind: Kind
    private let fixture = RefreshFixture()
    private var random: SeededRandom
    private var app: HeldToken
    private var attacker: HeldToken?
    /// Since when the app has been asking with its token without an answer.
    private var asking: Instant?
    private var isRevoked = false
    private var faults: [String] = []
    private(set) var counts = Counts()

    /// The contents of the histories, so that a test can tell that they were not empty.
    struct Counts {
        var refreshes = 0, lost = 0, pairs = 0, replays = 0, thefts = 0, restarts = 0, revocations = 0, reuses = 0
        /// Honest apps that were served though the first answer to the same token was lost long before.
        ///
        /// With the token alone this is after more than 20 s, by a holder after more than 12 h.
        var lateBearers = 0, lateHolders = 0
        /// Lines with two holders that were played to their end, by how the owner's is bound.
        var bearerStandoffs = 0, credentialStandoffs = 0, keyStandoffs = 0, boundStandoffs = 0

        static func + (left: Self, right: Self) -> Self {
            var sum = left
            for path in Self.all { sum[keyPath: path] += right[keyPath: path] }
            return sum
        }

        static var all: [WritableKeyPath<Self, Int>] {
            [
                \.refreshes, \.lost, \.pairs, \.replays, \.thefts, \.restarts, \.revocations, \.reuses, \.lateBearers,
                \.lateHolders, \.bearerStandoffs, \.credentialStandoffs, \.keyStandoffs, \.boundStandoffs,
            ]
        }
    }

    /// `kind`: drawn from the seed if not given.
    init(seed: UInt64, kind: Kind? = nil) async throws {
        self.seed = seed
        random = SeededRandom(seed: seed)
        let drawn = random.pick(Kind.allCases)
        let kind = kind ?? drawn
        self.kind = kind
        app = try await fixture.open(
            binding: kind == .key ? .deviceKey : .none,
            proofKey: kind == .bound ? Self.ownKey : nil
        )
    }

    /// Plays it; what went wrong, if something did.
    mutating func play() async throws -> [String] {
        let isHonest = random.happens(percent: 60)
        for _ in 0..<(8 + random.below(24)) {
            switch random.below(isHonest ? 80 : 100) {
            case 0..<40: try await appRefreshes()
            case 40..<50: try await appRefreshesTwice()
            case 50..<58: restart()
            case 58..<66: if asking == nil { fixture.time.advance(by: .seconds(random.below(40_000))) }
            case 66..<70: try await fixture.sweep()
            case 70..<73: if random.happens(percent: 20) { try await revoke() }
            case 73..<80: try await appReplays()
            case 80..<88: steal()
            default: try await attackerRefreshes()
            }
            try await checkLine()
        }
        if attacker != nil { try await settle() }
        return faults
    }

    // MARK: The app

    /// The key that the app's tokens are bound to, and one of the attacker's own.
    private static let ownKey = Digest256([UInt8](repeating: 0x1D, count: 32)) ?? .zero
    private static let foreignKey = Digest256([UInt8](repeating: 0x2D, count: 32)) ?? .zero

    /// The proofs that the app presents beside its token.
    private var evidence: RefreshEvidence {
        switch kind {
        case .bearer: RefreshEvidence(credential: nil, proofKey: nil)
        case .credential: RefreshEvidence(credential: ScriptedSubjects.credential, proofKey: nil)
        case .key: RefreshEvidence(credential: ScriptedSubjects.key, proofKey: nil)
        case .bound: RefreshEvidence(credential: nil, proofKey: Self.ownKey)
        }
    }

    /// The proof that an attacker can present: none, or one of another key.
    private var attackersEvidence: RefreshEvidence {
        RefreshEvidence(credential: nil, proofKey: kind == .bound ? Self.foreignKey : nil)
    }

    /// Whether nobody refreshes without what only the app has.
    private var isLocked: Bool { kind == .key || kind == .bound }

    /// How long its answers may stay away before it counts on nothing.
    private var patience: Duration { kind == .bearer ? .seconds(29) : .seconds(86_000) }

    private mutating func appRefreshes() async throws {
        counts.refreshes += 1
        if random.happens(percent: 15) { return waitForRetry() }
        let outcome = try await fixture.refresh(app, shows: evidence)
        if random.happens(percent: 25), isAnyLeft {
            counts.lost += 1
            asking = asking ?? fixture.time.wall
            return waitForRetry()
        }
        take(outcome)
    }

    /// Two parts of the app refresh at a time, with one token.
    private mutating func appRefreshesTwice() async throws {
        counts.pairs += 1
        let (fixture, held, evidence) = (fixture, app, evidence)
        async let one = fixture.refresh(held, shows: evidence)
        async let other = fixture.refresh(held, shows: evidence)
        let (first, second) = try await (one, other)
        if first.told != second.told, attacker == nil {
            faults.append("two refreshes at a time differ: \(first), \(second)")
        }
        take(second)
    }

    /// Whether the app may lose one more answer and still be promised to get the next.
    private var isAnyLeft: Bool { asking.map { fixture.time.wall - $0 < patience / 4 } ?? true }

    private mutating func waitForRetry() {
        // Now and then to the very end of what it is promised.
        let share = random.happens(percent: 20) ? 400 : random.below(100)
        let left = asking.map { patience - (fixture.time.wall - $0) } ?? patience
        fixture.time.advance(by: .milliseconds(left.wholeMilliseconds * Int64(share) / 400))
    }

    /// A request of the app that the network delivers once more, long after: with the token before its own.
    ///
    /// Only within the grace: later it can't be told from a theft, and is one.
    private mutating func appReplays() async throws {
        guard attacker == nil, app.generation > 0, asking == nil else { return }
        _ = try await fixture.refresh(app, shows: evidence)
        let old = app
        app = app.next
        let isInUse = random.happens(percent: 50)
        if isInUse {
            _ = try await fixture.refresh(app, shows: evidence)
            app = app.next
        }
        counts.replays += 1
        fixture.time.advance(by: .seconds(random.below(29)))
        let outcome = try await fixture.refresh(old, shows: evidence)
        if outcome == .refused(.reused) { faults.append("a replay within the grace ended the session") }
        if isInUse, case .granted = outcome { faults.append("a replaced token whose successor is in use was served") }
    }

    private mutating func take(_ outcome: RefreshOutcome) {
        let waited = asking.map { fixture.time.wall - $0 } ?? .zero
        asking = nil
        switch outcome {
        case .granted(let grant):
            if isRevoked { faults.append("the app was served after a revocation") }
            guard grant.successor?.key == app.next.key else {
                faults.append("the app was given another's token")
                return
            }
            app = app.next
            guard attacker == nil else { return }
            if kind == .bearer, waited > .seconds(20) { counts.lateBearers += 1 }
            if kind != .bearer, waited > .seconds(12 * 3600) { counts.lateHolders += 1 }
        case .refused(let refusal):
            if refusal == .reused { counts.reuses += 1 }
            if attacker == nil, !isRevoked { faults.append("the honest app was refused: \(refusal)") }
        }
    }

    // MARK: The attacker

    /// Copies what the app holds; what proves the device it can't.
    private mutating func steal() {
        counts.thefts += 1
        attacker = app
    }

    private mutating func attackerRefreshes() async throws {
        guard let held = attacker else { return }
        fixture.time.advance(by: .seconds(random.below(100)))
        switch try await fixture.refresh(held, shows: attackersEvidence) {
        case .granted:
            if isLocked { faults.append("an attacker without the key was served") }
            if isRevoked { faults.append("an attacker was served after a revocation") }
            attacker = held.next
        case .refused(let refusal): if refusal == .reused { counts.reuses += 1 }
        }
    }

    /// When everybody has asked twice, with the grace between, two are never left over.
    private mutating func settle() async throws {
        asking = nil
        switch kind {
        case .bearer: counts.bearerStandoffs += 1
        case .credential: counts.credentialStandoffs += 1
        case .key: counts.keyStandoffs += 1
        case .bound: counts.boundStandoffs += 1
        }
        var served = (app: false, attacker: false)
        let isAppFirst = random.happens(percent: 50)
        for _ in 0..<2 {
            for isApp in [isAppFirst, !isAppFirst] {
                fixture.time.advance(by: .seconds(kind == .bearer ? 31 : random.pick([31, 3600, 86_401])))
                if isApp {
                    served.app = try await isServed(&app, shows: evidence)
                } else if var held = attacker {
                    served.attacker = try await isServed(&held, shows: attackersEvidence)
                    attacker = held
                }
            }
        }
        if served.app, served.attacker { faults.append("two holders of one line survive the grace") }
        if isLocked, served.attacker { faults.append("an attacker without the key survives") }
    }

    /// The attacker refreshes first and the owner an hour after, again and again.
    ///
    /// Returns the reason that ended the session, if one did.
    mutating func playHourly() async throws -> RevocationReason? {
        steal()
        for _ in 0..<48 {
            fixture.time.advance(by: .seconds(3600))
            if var held = attacker {
                _ = try await isServed(&held, shows: attackersEvidence)
                attacker = held
            }
            fixture.time.advance(by: .seconds(3600))
            _ = try await isServed(&app, shows: evidence)
        }
        return try await fixture.reasonOfEnd(app.session)
    }

    private func isServed(_ held: inout HeldToken, shows evidence: RefreshEvidence) async throws -> Bool {
        guard case .granted = try await fixture.refresh(held, shows: evidence) else { return false }
        held = held.next
        return true
    }

    // MARK: The server

    private mutating func restart() {
        counts.restarts += 1
        // A holder's time runs on while the server is away.
        let left = asking.map { Int((patience - (fixture.time.wall - $0)) / .seconds(1)) } ?? 9000
        fixture.time.advance(by: .seconds(random.below(kind == .bearer ? 9000 : max(1, min(left, 9000)))))
        fixture.restart()
        // Nobody could ask while it was away.
        if asking != nil, kind == .bearer { asking = fixture.time.wall }
    }

    private mutating func revoke() async throws {
        counts.revocations += 1
        try await fixture.revoke(app.session)
        isRevoked = true
    }

    /// The line is straight: no token has two children, and no child two parents.
    private mutating func checkLine() async throws {
        let tokens = fixture.store.tokens
        let parents = tokens.compactMap(\.lineage.parent)
        if Set(parents).count != parents.count { faults.append("a token has two successors") }
        if tokens.filter({ $0.lineage.child == nil }).count > 1 { faults.append("two tokens are the newest") }
    }
}
