import Foundation
import Kernel
import Synchronization
import Testing
import TokenReading

@testable import Tokens

/// The rings of signing keys that several daemons share.
struct SharedRingTests {
    private let fixture: SharedRingFixture
    private var rings: MemoryRings { fixture.rings }

    init() throws { fixture = try SharedRingFixture() }

    // MARK: In the same moment

    // T-266
    @Test func `of three daemons that start for the first time at once one makes the keys, and all use them`() throws {
        let late = Started()
        let start = { @Sendable [fixture] in late.add(try fixture.daemon()) }
        rings.interfere([start, start])
        let first = try fixture.daemon()
        let all = [first] + late.all
        #expect(all.count == 3)
        #expect(Set(all.map(\.kids)).count == 1)
        #expect(first.snapshot.keys.map(\.state) == [.active, .next])
        #expect(rings["signing"]?.version == 1)
    }

    // T-266
    @Test func `a rotation by three daemons at once happens once, and one of them records it`() async throws {
        let (first, second, third) = (try fixture.daemon(), try fixture.daemon(), try fixture.daemon())
        let next = first.kids[1]
        rings.interfere([
            { try second.rotate(now: TokenFixture.now, unannounced: true) },
            { try third.rotate(now: TokenFixture.now, unannounced: true) },
        ])
        #expect(try first.rotate(now: TokenFixture.now, unannounced: true) == next)
        #expect(Set([first, second, third].map(\.kids)).count == 1)
        #expect(first.kids[0] == next)
        #expect(rings["signing"]?.version == 2)
        var recorded: [KeyChange] = []
        for daemon in [first, second, third] { recorded += await daemon.recorded() }
        #expect(recorded == [.rotated(to: next)])
    }

    // T-266
    @Test func `a rotation that is due for three daemons in one second happens once`() async throws {
        let daemons = try (0..<3).map { _ in
            try fixture.daemon(announcement: SharedRingFixture.day, rotation: SharedRingFixture.day * 90)
        }
        let next = daemons[0].kids[1]
        let due = TokenFixture.now + SharedRingFixture.day * 90
        rings.interfere([
            { _ = try daemons[1].advance(now: due) }, { _ = try daemons[2].advance(now: due + .milliseconds(300)) },
        ])
        #expect(try daemons[0].advance(now: due).isEmpty)
        #expect(Set(daemons.map(\.kids)).count == 1)
        #expect(daemons[0].kids[0] == next && rings["signing"]?.version == 2)
        var recorded: [KeyChange] = []
        for daemon in daemons { recorded += await daemon.recorded() }
        #expect(recorded == [.rotated(to: next)])
        for daemon in daemons { #expect(try daemon.advance(now: due).isEmpty) }
    }

    // T-266
    @Test func `changes of different keys at once are both made`() throws {
        let (first, second) = (try fixture.daemon(), try fixture.daemon())
        let (old, next) = (first.kids[0], first.kids[1])
        rings.interfere([{ try second.retire(next.text, now: TokenFixture.now) }])
        // What was the next key is gone by now, and the key after it signs.
        let active = try first.rotate(now: TokenFixture.now, unannounced: true)
        #expect(active == second.kids[1] && active != next)
        #expect(first.snapshot.keys.map(\.state) == [.active, .next, .retiring, .retired])
        #expect(first.kids[2...] == [old, next])
    }

    // T-266
    @Test func `a daemon that has not heard of a rotation elsewhere makes the next one, and records it`() async throws {
        let (first, second) = (try fixture.daemon(), try fixture.daemon())
        let elsewhere = try first.rotate(now: TokenFixture.now, unannounced: true)
        let following = first.kids[1]
        #expect(second.kids[0] != elsewhere)
        #expect(try second.rotate(now: TokenFixture.now, unannounced: true) == following)
        #expect(second.snapshot.keys.map(\.state) == [.active, .next, .retiring, .retiring])
        #expect(rings["signing"]?.version == 3)
        #expect(await second.recorded() == [.rotated(to: following)])
    }

    @Test func `a rotation that another daemon's makes too early is refused`() throws {
        let first = try fixture.daemon(announcement: SharedRingFixture.day)
        let second = try fixture.daemon(announcement: SharedRingFixture.day)
        let due = TokenFixture.now + SharedRingFixture.day
        try first.rotate(now: due)
        let error = #expect(throws: KeyError.self) { try second.rotate(now: due) }
        let ready = due + SharedRingFixture.day
        #expect(error == .refused(.notAnnounced(next: first.kids[1].text, readyAt: ready)))
        #expect(second.kids == first.kids)
    }

    // T-263
    @Test func `a clock that differs from another daemon's as far as allowed makes no date wrong`() throws {
        let (first, second) = (try fixture.daemon(), try fixture.daemon())
        try first.rotate(now: TokenFixture.now + .seconds(2), unannounced: true)
        try second.reload()
        #expect(try second.redate(now: TokenFixture.now).isEmpty)
        #expect(try second.redate(now: TokenFixture.now - .milliseconds(1)).count == 3)
        #expect(second.snapshot.keys.allSatisfy { $0.since == TokenFixture.now - .milliseconds(1) })
    }

    // MARK: From one daemon to another

    // T-266
    @Test func `a token of the key that another daemon has just made active is accepted before a reading`() throws {
        let folder = try fixture.folder()
        let (here, there) = (try fixture.daemon(in: folder), try fixture.daemon())
        let verifier = TokenVerifier(issuer: TokenFixture.issuer, ring: here, folder: folder)
        try there.rotate(now: TokenFixture.now)
        let token = try TokenIssuer(issuer: TokenFixture.issuer, ring: there, folder: folder)
            .sign(access: TokenFixture.accessClaims()).expose()
        _ = try verifier.verifyAccess(token, audiences: [TokenFixture.audience], now: TokenFixture.now)
    }

    // T-208
    @Test func `a key that one daemon retires is refused by another after the next reading`() throws {
        let folder = try fixture.folder()
        let (here, there) = (try fixture.daemon(in: folder), try fixture.daemon())
        let verifier = TokenVerifier(issuer: TokenFixture.issuer, ring: here, folder: folder)
        let leaked = here.kids[0]
        let token = try TokenIssuer(issuer: TokenFixture.issuer, ring: here, folder: folder)
            .sign(access: TokenFixture.accessClaims()).expose()
        try there.rotate(now: TokenFixture.now, unannounced: true)
        try there.retire(leaked.text, now: TokenFixture.now)
        try here.reload()
        #expect(here.kids == there.kids)
        #expect(throws: TokenError.retiredKey) {
            try verifier.verifyAccess(token, audiences: [TokenFixture.audience], now: TokenFixture.now)
        }
    }

    @Test func `each change is announced once, and a reading is not`() throws {
        let (first, second) = (try fixture.daemon(), try fixture.daemon())
        #expect(fixture.feed.sent == [.keysChanged])
        try second.reload()
        #expect(fixture.feed.sent == [.keysChanged])
        try first.rotate(now: TokenFixture.now)
        #expect(fixture.feed.sent == [.keysChanged, .keysChanged])
    }

    @Test(arguments: [FeedEvent.message(.keysChanged), .gap])
    func `a daemon reads the keys after a message and after a gap, until that succeeds`(
        _ event: FeedEvent
    )
        async throws
    {
        let (first, second) = (try fixture.daemon(), try fixture.daemon())
        try first.rotate(now: TokenFixture.now)
        let feed = ScriptedFeed()
        rings.fail(times: 2)
        feed.tell(.message(.clientsChanged), event)
        let before = rings.calls
        let told = Mutex<[KeyError?]>([])
        await second.follow(feed, in: TokenFixture.environment) { error in
            told.withLock { $0.append(error as? KeyError) }
        }
        #expect(rings.calls == before + 3)
        #expect(second.kids == first.kids)
        let away = KeyError.unavailable(
            path: "the row `signing` of key_rings",
            action: "read or change",
            cause: "it is away"
        )
        #expect(told.withLock { $0 } == [away], "once")
    }

    @Test func `messages that come during a reading of the keys cause one more`() async throws {
        let (first, second) = (try fixture.daemon(), try fixture.daemon())
        try first.rotate(now: TokenFixture.now)
        let burst = BurstFeed(count: 50)
        // The first reading lasts until all messages have come.
        rings.fail(times: 1)
        let before = rings.calls
        let environment = Environment(
            now: { TokenFixture.now },
            clock: burst,
            randomBytes: TokenFixture.environment.randomBytes
        )
        await second.follow(burst, in: environment) { _ in }
        #expect((2...3).contains(rings.calls - before))
        #expect(second.kids == first.kids)
    }

    // MARK: Away

    @Test func `a database that can't be reached is named, and the keys and the audit stay as they are`() async throws {
        let daemon = try fixture.daemon()
        let before = daemon.kids
        rings.fail(times: 1)
        let error = #expect(throws: KeyError.self) { try daemon.rotate(now: TokenFixture.now) }
        #expect(
            error
                == .unavailable(path: "the row `signing` of key_rings", action: "read or change", cause: "it is away")
        )
        #expect(daemon.kids == before)
        #expect(await daemon.recorded().isEmpty)
        try daemon.reload()
        #expect(daemon.kids == before)
    }

    // T-267
    @Test func `a change whose answer was lost is recorded once, as soon as a reading shows it`() async throws {
        let (first, second) = (try fixture.daemon(), try fixture.daemon())
        let next = first.kids[1]
        rings.loseAnswer()
        #expect(throws: KeyError.self) { try first.rotate(now: TokenFixture.now, unannounced: true) }
        #expect(first.kids[0] != next)
        #expect(await first.recorded().isEmpty)
        try second.reload()
        #expect(second.kids[0] == next)
        #expect(await second.recorded().isEmpty, "it was not this daemon's")
        for _ in 1...2 { try first.reload() }
        #expect(await first.recorded() == [.rotated(to: next)])
        rings.loseAnswer()
        let old = second.kids[2]
        #expect(throws: KeyError.self) { try second.retire(old.text, now: TokenFixture.now) }
        _ = try second.rotate(now: TokenFixture.now, unannounced: true)
        #expect(await second.recorded() == [.retired(old), .rotated(to: second.kids[0])], "in their order")
    }

    // T-267
    @Test func `a change that failed before it was made is not recorded when another daemon makes it`() async throws {
        let (first, second) = (try fixture.daemon(), try fixture.daemon())
        rings.interfere([{ throw StoreError.unavailable(cause: "it is away") }])
        #expect(throws: KeyError.self) { try first.rotate(now: TokenFixture.now, unannounced: true) }
        try second.rotate(now: TokenFixture.now + .seconds(1), unannounced: true)
        try first.reload()
        #expect(first.kids == second.kids)
        #expect(await first.recorded().isEmpty)
        #expect(await second.recorded() == [.rotated(to: second.kids[0])])
    }

    @Test func `a row that is gone is not made again by a daemon that runs`() throws {
        let daemon = try fixture.daemon()
        rings["signing"] = nil
        #expect(throws: KeyError.missing(path: "the row `signing` of key_rings")) {
            try daemon.rotate(now: TokenFixture.now)
        }
        #expect(rings["signing"] == nil)
    }

    // MARK: From a key folder

    @Test func `a database without keys begins with those of the key folder, whose files stay`() throws {
        let folder = try fixture.folder()
        let alone = try TokenFixture.openRing(folder)
        try alone.rotate(now: TokenFixture.now)
        try alone.openIdentity(now: TokenFixture.now)
        let ringFile = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/signing/ring.json"))
        let shared = try fixture.daemon(in: folder)
        #expect(shared.keys == alone.keys)
        #expect(shared.keySet == alone.keySet)
        let other = try fixture.daemon()
        #expect(other.keys == alone.keys, "another daemon's key folder has no ring")
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/signing/ring.json")) == ringFile)
    }

    // T-211
    @Test func `attack: a deleted row brings no old keys of a folder back, until the operator wants them`() throws {
        let folder = try fixture.folder()
        let alone = try TokenFixture.openRing(folder)
        try alone.openIdentity(now: TokenFixture.now)
        let shared = try fixture.daemon(in: folder)
        let leaked = shared.kids[0]
        try shared.rotate(now: TokenFixture.now)
        try shared.retire(leaked.text, now: TokenFixture.now)
        for name in ["signing", "identity"] {
            let row = try #require(rings[name])
            rings[name] = nil
            let mark = "\(folder.path)/\(name).moved"
            let error = try #require(try fixture.refusal(in: folder))
            #expect(
                error == .moved(row: "the row `\(name)` of key_rings", ring: "\(folder.path)/\(name)", mark: mark)
            )
            #expect("\(error)".contains("delete \(mark)"))
            #expect(rings[name] == nil)
            rings[name] = row
        }
        #expect(try fixture.daemon(in: folder).keys == shared.keys, "restored")
        rings["signing"] = nil
        try FileManager.default.removeItem(atPath: "\(folder.path)/signing.moved")
        #expect(try fixture.daemon(in: folder).kids == alone.kids)
    }

    @Test func `an old ring that can't be marked stops only the daemon that would take its keys`() throws {
        let folder = try fixture.folder()
        let alone = try TokenFixture.openRing(folder)
        // As in a read-only folder, the lock can't be opened for writing. Root may write anywhere.
        let lock = "\(folder.path)/lock"
        try FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
        #expect(try fixture.refusal(in: folder) != nil && rings["signing"] == nil)
        let first = try fixture.daemon()
        let reported = Mutex<[KeyError]>([])
        let second = try fixture.daemon(in: folder) { error in reported.withLock { $0.append(error) } }
        #expect(second.kids == first.kids && second.kids != alone.kids)
        let errors = reported.withLock(\.self)
        guard errors.count == 1, case .unavailable(path: lock, action: "open", _) = errors[0] else {
            Issue.record("\(errors)")
            return
        }
    }

    @Test func `the keys of the database go before those of a key folder`() throws {
        let first = try fixture.daemon()
        let folder = try fixture.folder()
        let alone = try TokenFixture.openRing(folder)
        let second = try fixture.daemon(in: folder)
        #expect(second.kids == first.kids && second.kids != alone.kids)
    }

    @Test func `the keys that sign id tokens by RS256 are made by one daemon and used by all`() throws {
        let (first, second) = (try fixture.daemon(), try fixture.daemon())
        try first.openIdentity(now: TokenFixture.now)
        try second.openIdentity(now: TokenFixture.now)
        #expect(first.keys.count == 4 && second.keys == first.keys)
        #expect(try fixture.daemon().keys == first.keys, "a later start finds them")
        #expect(rings["identity"]?.version == 1)
    }
}

/// A feed that tells of changes of keys in a row, and a clock whose waits last until all were taken.
private final class BurstFeed: ChangeFeed, MonotonicClock {
    private let left: Mutex<Int>

    init(count: Int) { left = Mutex(count) }

    let now = Uptime(nanoseconds: 0)

    func sleep(until deadline: Uptime) async throws {
        while left.withLock({ $0 >= 0 }), !Task.isCancelled { await Task.yield() }
    }

    func announce(_ message: FeedMessage) {}

    func events() -> AsyncStream<FeedEvent> {
        AsyncStream { [self] in
            left.withLock { left in
                left -= 1
                return left >= 0 ? .message(.keysChanged) : nil
            }
        }
    }
}

/// Daemons that start while another one does.
private final class Started: Sendable {
    private let daemons = Mutex<[KeyRing]>([])

    var all: [KeyRing] { daemons.withLock { $0 } }

    func add(_ daemon: KeyRing) { daemons.withLock { $0.append(daemon) } }
}
