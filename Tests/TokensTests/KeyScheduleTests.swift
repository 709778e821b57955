import Foundation
import Kernel
import Testing
import TokenReading

@testable import Tokens

struct KeyScheduleTests {
    private static let day = Duration.seconds(86_400)
    private static let announcement = day
    private static let rotation = day * 90

    private let fixture: TokenFixture
    private let ring: KeyRing

    init() throws {
        fixture = try TokenFixture()
        ring = try TokenFixture.openRing(fixture.folder, announcement: Self.announcement, rotation: Self.rotation)
    }

    private func kids(_ state: KeyState) -> [KeyID] { ring.snapshot.keys.filter { $0.state == state }.map(\.id) }

    // T-263
    @Test func `a key signs for its time, to the millisecond, and then the next one does`() throws {
        let (first, next) = (kids(.active), kids(.next))
        let due = TokenFixture.now + Self.rotation
        #expect(try ring.advance(now: due - .milliseconds(1)).isEmpty)
        #expect(kids(.active) == first)
        #expect(try ring.advance(now: due) == [.rotated(to: next[0])])
        #expect(kids(.active) == next && kids(.retiring) == first)
        #expect(try ring.advance(now: due).isEmpty, "once is enough")
        let over = due + TokenFixture.retiredKeysVerifyFor
        #expect(try ring.advance(now: over) == [.retired(first[0])])
        #expect(try ring.advance(now: over).isEmpty)
    }

    // T-267
    @Test func `changes of keys are handed over with their times until they are on record`()
        async throws
    {
        let (first, second) = (kids(.active)[0], kids(.next)[0])
        let later = TokenFixture.now + TokenFixture.retiredKeysVerifyFor
        try ring.rotate(now: TokenFixture.now, unannounced: true)
        let third = try ring.rotate(now: later, unannounced: true)
        #expect(kids(.retired).isEmpty, "the operator's clock may be wrong")
        try ring.advance(now: later)
        var tries = 0
        await ring.handOver { _ in
            tries += 1
            return false
        }
        #expect(tries == 1)
        try ring.retire(second.text, now: later + .seconds(1))
        var recorded: [[DatedKeyChange]] = []
        for _ in 1...2 {
            await ring.handOver { changes in
                recorded.append(changes)
                return true
            }
        }
        let changes: [DatedKeyChange] = [
            .init(change: .rotated(to: second), at: TokenFixture.now), .init(change: .rotated(to: third), at: later),
            .init(change: .retired(first), at: later), .init(change: .retired(second), at: later + .seconds(1)),
        ]
        #expect(recorded == [changes], "once")
    }

    @Test func `a change that is refused leaves nothing to record`() async throws {
        #expect(throws: KeyError.self) { try ring.rotate(now: TokenFixture.now) }
        #expect(throws: KeyError.self) { try ring.retire("no such key", now: TokenFixture.now) }
        var tries = 0
        await ring.handOver { _ in
            tries += 1
            return true
        }
        #expect(tries == 0)
    }

    // T-266
    @Test func `years of rotations: always one active key and one next, which was published before it signed`() throws {
        var now = TokenFixture.now
        var publishedAt: [KeyID: Instant] = [:]
        for _ in 0..<2_000 {
            for key in ring.snapshot.keys where publishedAt[key.id] == nil { publishedAt[key.id] = now }
            let changes = try ring.advance(now: now)
            for case .rotated(let key) in changes {
                let published = try #require(publishedAt[key])
                #expect(published + Self.announcement <= now)
            }
            #expect(kids(.active).count == 1 && kids(.next).count == 1 && kids(.retiring).count <= 1)
            now = now + Self.day
        }
        #expect(ring.snapshot.keys.count { $0.state == .retired } == Ring.rememberedKeys)
    }

    // T-263
    @Test func `a next key that is new waits for its announcement although the rotation is overdue`() throws {
        let late = TokenFixture.now + Self.rotation * 2
        try ring.retire(kids(.next)[0].text, now: late)
        #expect(try ring.advance(now: late).isEmpty)
        #expect(try ring.advance(now: late + Self.announcement - .milliseconds(1)).isEmpty)
        #expect(try ring.advance(now: late + Self.announcement) == [.rotated(to: kids(.active)[0])])
    }

    // T-263
    @Test func `the operator's rotation waits for the announcement as well, unless told not to`() throws {
        let next = kids(.next)[0]
        let readyAt = TokenFixture.now + Self.announcement
        let refusal = KeyError.refused(.notAnnounced(next: next.text, readyAt: readyAt))
        #expect(throws: refusal) { try ring.rotate(now: readyAt - .milliseconds(1)) }
        #expect("\(refusal)".contains("2027-01-16T08:00:00Z") && "\(refusal)".contains("--now"))
        #expect(kids(.next) == [next])
        #expect(try ring.rotate(now: TokenFixture.now, unannounced: true) == next)
        #expect(try ring.rotate(now: readyAt) == kids(.active)[0])
    }

    @Test func `without a schedule nothing rotates by itself`() throws {
        let ring = try TokenFixture.openRing(fixture.folder, announcement: .zero, rotation: nil)
        #expect(try ring.advance(now: TokenFixture.now + Self.day * 10_000).isEmpty)
    }

    // T-263
    @Test func `attack: a clock once 200 days ahead delays neither the next rotation nor the old key's end`()
        throws
    {
        let now = TokenFixture.now
        let old = kids(.active)[0]
        #expect(try ring.advance(now: now + Self.day * 200).count == 1)
        // Started again at the right time.
        let again = try TokenFixture.openRing(fixture.folder, announcement: Self.announcement, rotation: Self.rotation)
        let dated = try again.redate(now: now)
        #expect(Set(dated) == Set(again.snapshot.keys.map(\.id)))
        #expect(again.snapshot.keys.allSatisfy { $0.since == now && $0.createdAt == now } == true)
        #expect(try again.redate(now: now).isEmpty, "once is enough")
        let end = now + TokenFixture.retiredKeysVerifyFor
        #expect(again.snapshot.keys.first { $0.id == old }?.verifiesUntil == end)
        #expect(try again.advance(now: end) == [.retired(old)])
        #expect(try again.advance(now: now + Self.rotation).count == 1)
        let onDisk = try TokenFixture.openRing(fixture.folder, announcement: Self.announcement, rotation: Self.rotation)
        #expect(onDisk.snapshot.keys == again.snapshot.keys)
    }

    // MARK: Before its time

    // T-208
    @Test func `attack: a retired key's token is refused at once, and the key leaves the key set`() throws {
        let token = try TokenIssuer(issuer: TokenFixture.issuer, ring: ring, folder: fixture.folder)
            .sign(access: TokenFixture.accessClaims()).expose()
        let verifier = TokenVerifier(issuer: TokenFixture.issuer, ring: ring, folder: fixture.folder)
        let leaked = kids(.active)[0]
        try ring.rotate(now: TokenFixture.now, unannounced: true)
        _ = try verifier.verifyAccess(token, audiences: [TokenFixture.audience], now: TokenFixture.now)
        try ring.retire(leaked.text, now: TokenFixture.now)
        #expect(throws: TokenError.retiredKey) {
            try verifier.verifyAccess(token, audiences: [TokenFixture.audience], now: TokenFixture.now)
        }
        #expect(PublishedKeys(ring.snapshot.jwks)?[leaked.text] == nil)
        #expect(try !fixture.home.keyFiles().contains("\(leaked).pem"))
        let again = try TokenFixture.openRing(fixture.folder)
        #expect(again.snapshot.keys == ring.snapshot.keys)
    }

    // T-208
    @Test func `a next key that is retired is replaced, and an active, unknown or retired one can't be retired`() throws
    {
        let (active, next) = (kids(.active)[0], kids(.next)[0])
        #expect(throws: KeyError.refused(.activeKey(active.text))) {
            try ring.retire(active.text, now: TokenFixture.now)
        }
        for outsider in ["", "x", "../ring.json", next.text + " "] {
            #expect(throws: KeyError.refused(.unknownKey(outsider))) {
                try ring.retire(outsider, now: TokenFixture.now)
            }
        }
        #expect(try ring.retire(next.text, now: TokenFixture.now) == next)
        #expect(kids(.active) == [active] && kids(.next).count == 1 && kids(.next) != [next])
        #expect(throws: KeyError.refused(.retiredAlready(next.text))) {
            try ring.retire(next.text, now: TokenFixture.now)
        }
    }

    // MARK: Killed in the middle

    /// Returns the folder as it is after each step of a rotation on the disk, as a process leaves it that is killed
    /// there.
    private func folders(during change: (KeyRing) throws -> Void) throws -> [[String: [UInt8]]] {
        func content() throws -> [String: [UInt8]] {
            let names = try fixture.home.names(in: "keys/signing")
            return Dictionary(
                uniqueKeysWithValues: try names.map { ($0, try fixture.home.bytes("keys/signing/\($0)")) }
            )
        }
        let before = try content()
        try change(ring)
        let after = try content()
        let new = after.keys.filter { before[$0] == nil }
        let gone = before.keys.filter { after[$0] == nil }
        let ringFile = try #require(after["ring.json"])
        var state = before
        var states = [state]
        for name in new {
            let bytes = try #require(after[name])
            state[name + ".new"] = Array(bytes.prefix(bytes.count / 2))
            states.append(state)
            state[name + ".new"] = bytes
            states.append(state)
            state[name + ".new"] = nil
            state[name] = bytes
            states.append(state)
        }
        state["ring.json.new"] = Array(ringFile.prefix(ringFile.count / 2))
        states.append(state)
        state["ring.json.new"] = ringFile
        states.append(state)
        state["ring.json.new"] = nil
        state["ring.json"] = ringFile
        states.append(state)
        for name in gone {
            state[name] = nil
            states.append(state)
        }
        #expect(state == after)
        return states
    }

    private func put(_ state: [String: [UInt8]]) throws {
        for name in try fixture.home.names(in: "keys/signing") { try fixture.home.remove("keys/signing/\(name)") }
        for (name, bytes) in state {
            try Data(bytes).write(to: URL(fileURLWithPath: fixture.home.file("keys/signing/\(name)")))
            try fixture.home.setMode(0o600, of: "keys/signing/\(name)")
        }
    }

    // T-266
    @Test func `killed after any step of a rotation, a start finds one active key and can rotate on`() throws {
        let token = try fixture.issuer.sign(access: TokenFixture.accessClaims()).expose()
        let over = TokenFixture.now + TokenFixture.retiredKeysVerifyFor
        let first = try folders { try $0.rotate(now: TokenFixture.now, unannounced: true) }
        let second = try folders { try $0.rotate(now: over, unannounced: true) }
        // Drops the file of a key whose time is over.
        let third = try folders { try $0.advance(now: over) }
        #expect(first.count == 7 && second.count == 7 && third.count == 5)
        for (count, state) in (first + second + third).enumerated() {
            try put(state)
            let again = try TokenFixture(home: fixture.home)
            let keys = again.ring.snapshot.keys
            #expect(keys.count { $0.state == .active } == 1 && keys.count { $0.state == .next } == 1, "step \(count)")
            if count < first.count { _ = try again.verify(access: token) }
            _ = try again.verify(access: try again.issuer.sign(access: TokenFixture.accessClaims()).expose())
            try again.ring.rotate(now: over + .seconds(1))
            let held = again.ring.snapshot.keys.filter { $0.state != .retired }.map { "\($0.id).pem" }
            #expect(try fixture.home.keyFiles() == held.sorted(), "step \(count): left-overs are swept away")
        }
    }
}
