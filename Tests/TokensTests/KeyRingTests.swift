import Foundation
import Kernel
import Testing
import TokenReading

@testable import Tokens

struct KeyRingTests {
    private let fixture: TokenFixture

    init() throws { fixture = try TokenFixture() }

    private var home: TemporaryFolder { fixture.home }
    private var ringPath: String { home.file("keys/signing/ring.json") }
    private var keyName: String { "keys/signing/\(fixture.ring.snapshot.keys[0].id).pem" }

    private func fault() -> KeyError? {
        do {
            _ = try TokenFixture.openRing(fixture.folder)
            return nil
        } catch {
            return error as? KeyError
        }
    }

    private func editRing(_ edit: (String) -> String) throws {
        let before = try home.text("keys/signing/ring.json")
        let after = edit(before)
        #expect(before != after)
        try home.write(after, to: "keys/signing/ring.json")
    }

    // MARK: Rotation

    @Test func `a rotation signs with the next key, makes a new next key, and dates the old one`() throws {
        let (old, next) = (fixture.ring.snapshot.keys[0].id, fixture.ring.snapshot.keys[1].id)
        let later = TokenFixture.now + .seconds(60)
        #expect(try fixture.ring.rotate(now: later) == next)
        let keys = fixture.ring.snapshot.keys
        #expect(keys.map(\.state) == [.active, .next, .retiring])
        #expect(
            keys[0]
                == KeySummary(
                    id: next,
                    algorithm: .es256,
                    state: .active,
                    createdAt: TokenFixture.now,
                    since: later,
                    verifiesUntil: nil
                )
        )
        #expect(keys[1].createdAt == later && keys[1].verifiesUntil == nil)
        #expect(
            keys[2]
                == KeySummary(
                    id: old,
                    algorithm: .es256,
                    state: .retiring,
                    createdAt: TokenFixture.now,
                    since: later,
                    verifiesUntil: later + TokenFixture.retiredKeysVerifyFor
                )
        )
        let token = try fixture.issuer.sign(access: TokenFixture.accessClaims()).expose()
        let header = try #require(Base64URL.decode(Forge.parts(token)[0]))
        #expect(String(decoding: header, as: UTF8.self).contains(next.text))
    }

    @Test func `the next key signs also when the clock was set back before the rotation`() throws {
        let old = fixture.ring.snapshot.keys[0].id
        let new = try fixture.ring.rotate(now: TokenFixture.now - .seconds(3600), unannounced: true)
        #expect(fixture.ring.snapshot.keys.map(\.id) == [new, fixture.ring.snapshot.keys[1].id, old])
        let again = try TokenFixture(home: home)
        #expect(again.ring.snapshot.keys == fixture.ring.snapshot.keys)
    }

    @Test func `a rotation outlives the process`() throws {
        let token = try fixture.issuer.sign(access: TokenFixture.accessClaims()).expose()
        try fixture.ring.rotate(now: TokenFixture.now)
        let again = try TokenFixture(home: home)
        #expect(again.ring.snapshot.keys == fixture.ring.snapshot.keys)
        _ = try again.verify(access: token)
    }

    @Test(arguments: [SigningAlgorithm.edDSA, .rs256])
    func `another algorithm is published first, signs after a rotation, and both kinds verify`(
        algorithm: SigningAlgorithm
    ) throws {
        let token = try fixture.issuer.sign(access: TokenFixture.accessClaims()).expose()
        let dropped = fixture.ring.snapshot.keys[1].id
        let again = try TokenFixture(algorithm, home: home)
        #expect(again.ring.snapshot.keys.map(\.algorithm) == [.es256, algorithm])
        #expect(try !home.keyFiles().contains("\(dropped).pem"), "it never signed")
        try again.ring.rotate(now: TokenFixture.now + .seconds(1))
        #expect(again.ring.snapshot.keys.map(\.algorithm) == [algorithm, algorithm, .es256])
        _ = try again.verify(access: token)
        _ = try again.verify(access: try again.issuer.sign(access: TokenFixture.accessClaims()).expose())
    }

    @Test func `a second rotation does not lengthen the first key's time`() throws {
        let first = fixture.ring.snapshot.keys[0].id
        try fixture.ring.rotate(now: TokenFixture.now)
        try fixture.ring.rotate(now: TokenFixture.now + .seconds(100))
        let summary = try #require(fixture.ring.snapshot.keys.first { $0.id == first })
        #expect(summary.since == TokenFixture.now)
        #expect(summary.verifiesUntil == TokenFixture.now + TokenFixture.retiredKeysVerifyFor)
    }

    @Test func `a key verifies for as long as the longest token that it signed, whatever the config says later`() throws
    {
        let short = try TokenFixture.openRing(fixture.folder, longestToken: .seconds(60))
        try short.rotate(now: TokenFixture.now)
        #expect(short.snapshot.keys[2].verifiesUntil == TokenFixture.now + TokenFixture.retiredKeysVerifyFor)
        let long = try TokenFixture.openRing(fixture.folder, longestToken: .seconds(86_400))
        let second = long.snapshot.keys[0].id
        try TokenFixture.openRing(fixture.folder, longestToken: .seconds(60)).rotate(now: TokenFixture.now)
        try long.reload()
        let retiring = try #require(long.snapshot.keys.first { $0.id == second })
        #expect(retiring.verifiesUntil == TokenFixture.now + .seconds(86_400))
    }

    @Test func `keys whose time is over are retired by the round that checks its clock, and their files go`() throws {
        let first = fixture.ring.snapshot.keys[0].id
        let over = TokenFixture.now + TokenFixture.retiredKeysVerifyFor
        try fixture.ring.rotate(now: TokenFixture.now)
        try fixture.ring.rotate(now: over)
        let states = fixture.ring.snapshot.keys.map(\.state)
        #expect(
            states == [.active, .next, .retiring, .retiring],
            "an operator's word rotates by any clock, and retires none"
        )
        #expect(try fixture.ring.advance(now: over) == [.retired(first)])
        #expect(fixture.ring.snapshot.keys.map(\.state) == [.active, .next, .retiring, .retired])
        #expect(fixture.ring.snapshot.keys[3].id == first)
        let held = fixture.ring.snapshot.keys.dropLast().map { "\($0.id).pem" }
        #expect(try home.keyFiles() == held.sorted())
        #expect(fault() == nil)
    }

    @Test func `retired keys are remembered, not for ever`() throws {
        for turn in 0..<20 {
            let now = TokenFixture.now + TokenFixture.retiredKeysVerifyFor * Double(turn)
            try fixture.ring.rotate(now: now)
            try fixture.ring.advance(now: now)
        }
        #expect(fixture.ring.snapshot.keys.count { $0.state == .retired } == Ring.rememberedKeys)
        #expect(fault() == nil)
    }

    @Test func `a rotation that can't be written changes nothing`() throws {
        let before = fixture.ring.snapshot.keys
        let ringBytes = try home.bytes("keys/signing/ring.json")
        // A folder where the draft of the ring would be written: fails for root as well.
        try FileManager.default.createDirectory(atPath: ringPath + ".new", withIntermediateDirectories: false)
        #expect(throws: KeyError.self) { try fixture.ring.rotate(now: TokenFixture.now) }
        #expect(fixture.ring.snapshot.keys == before)
        #expect(try home.bytes("keys/signing/ring.json") == ringBytes)
        let token = try fixture.issuer.sign(access: TokenFixture.accessClaims()).expose()
        try FileManager.default.removeItem(atPath: ringPath + ".new")
        let again = try TokenFixture(home: home)
        #expect(again.ring.snapshot.keys == before)
        _ = try again.verify(access: token)
        // The key that never became one is swept away by the next change.
        try again.ring.rotate(now: TokenFixture.now)
        #expect(try home.keyFiles().count == 3)
    }

    @Test func `files of others in the folder are left alone`() throws {
        try home.write("note", to: "keys/signing/note.pem")
        try home.write("note", to: "keys/signing/README")
        try fixture.ring.rotate(now: TokenFixture.now)
        #expect(try home.text("keys/signing/note.pem") == "note")
        #expect(try home.text("keys/signing/README") == "note")
    }

    // MARK: Several processes

    @Test func `a reload sees what another process rotated, and a rotation builds on it`() throws {
        let other = try TokenFixture(home: home)
        let second = try other.ring.rotate(now: TokenFixture.now + .seconds(1))
        #expect(fixture.ring.snapshot.keys.count == 2)
        try fixture.ring.reload()
        #expect(fixture.ring.snapshot.keys == other.ring.snapshot.keys)
        let third = try other.ring.rotate(now: TokenFixture.now + .seconds(2))
        let fourth = try fixture.ring.rotate(now: TokenFixture.now + .seconds(3))
        #expect(fixture.ring.snapshot.keys.filter { $0.state != .next }.map(\.id).prefix(3) == [fourth, third, second])
    }

    @Test func `rotations at once from several rings lose no key`() async throws {
        let home = home
        try await withThrowingTaskGroup(of: Void.self) { group in
            for turn in 1...8 {
                group.addTask {
                    let fixture = try TokenFixture(home: home)
                    try fixture.ring.rotate(now: TokenFixture.now + .seconds(turn), unannounced: true)
                }
            }
            try await group.waitForAll()
        }
        try fixture.ring.reload()
        #expect(fixture.ring.snapshot.keys.count == 10)
        #expect(try home.keyFiles().count == 10)
    }

    // MARK: Damage

    @Test func `a key file that holds another key than its name says is refused`() throws {
        let other = try SigningKey.generate(.es256)
        try home.write(other.pem, to: keyName)
        #expect(
            fault()
                == .damaged(
                    path: home.file(keyName),
                    .thumbprintMismatch(found: other.verificationKey.thumbprint.text)
                )
        )
    }

    @Test func `a damaged or missing key file is refused`() throws {
        let pem = try home.text(keyName)
        for broken in ["", "x", String(pem.dropLast(60)), try SigningKey.generate(.edDSA).pem] {
            try home.write(broken, to: keyName)
            #expect(fault() == .damaged(path: home.file(keyName), .notAKey(algorithm: "ES256")))
        }
        try home.remove(keyName)
        #expect(fault() == .missing(path: home.file(keyName)))
    }

    @Test func `a damaged or missing ring is refused, never replaced`() throws {
        let good = try home.text("keys/signing/ring.json")
        for broken in ["", "{}", "[]", String(good.dropLast(20)), good.replacing("ES256", with: "HS256")] {
            try home.write(broken, to: "keys/signing/ring.json")
            #expect(fault() == .damaged(path: ringPath, .notARing))
        }
        try home.remove("keys/signing/ring.json")
        #expect(fault() == .missing(path: ringPath))
        #expect(throws: KeyError.missing(path: ringPath)) { try fixture.ring.rotate(now: TokenFixture.now) }
    }

    @Test func `a ring of a later version is named as such`() throws {
        try editRing { $0.replacing("\"version\" : 2", with: "\"version\" : 3") }
        #expect(fault() == .damaged(path: ringPath, .unknownRingVersion(3)))
    }

    @Test func `a ring that names a path instead of a key is refused`() throws {
        let id = fixture.ring.snapshot.keys[0].id.text
        try editRing { $0.replacing(id, with: "../root") }
        #expect(fault() == .damaged(path: ringPath, .notARing))
    }

    @Test func `a ring needs exactly one active key, one next key, and each only once`() throws {
        try fixture.ring.rotate(now: TokenFixture.now + .seconds(1))
        let good = try home.text("keys/signing/ring.json")
        let entries = try RingRecord.decode(Array(good.utf8), path: ringPath).keys
        func found(_ edit: (inout [RingRecord.Entry]) -> Void) throws -> KeyError? {
            var record = try RingRecord.decode(Array(good.utf8), path: ringPath)
            edit(&record.keys)
            try home.write(String(decoding: try record.encoded(), as: UTF8.self), to: "keys/signing/ring.json")
            return fault()
        }
        #expect(entries.map(\.state) == [.active, .next, .retiring])
        let second = try found { keys in
            (keys[1].state, keys[1].activeAt, keys[1].longestToken) = (.active, 1, 1)
        }
        #expect(second == .damaged(path: ringPath, .activeKeys(2)))
        #expect(try found { $0.removeFirst() } == .damaged(path: ringPath, .activeKeys(0)))
        let twice = try found { ($0[2].state, $0[2].retiredAt, $0[2].verifyUntil) = (.next, nil, nil) }
        #expect(twice == .damaged(path: ringPath, .nextKeys(2)))
        #expect(try found { $0.append($0[0]) } == .damaged(path: ringPath, .duplicateKey(entries[0].kid)))
        for edit: (inout RingRecord.Entry) -> Void in [
            { $0.verifyUntil = 2 }, { $0.retiredAt = 2 }, { $0.longestToken = nil }, { $0.activeAt = nil },
            { $0.state = .next }, { $0.state = .retiring }, { $0.state = .retired }, { $0.kid = "x" },
        ] {
            #expect(try found { edit(&$0[0]) } == .damaged(path: ringPath, .notARing))
        }
        #expect(try found { _ in } == nil)
    }

    @Test func `a ring of the first version is taken over: its keys stay, and it gets a next one`() throws {
        try fixture.ring.rotate(now: TokenFixture.now)
        let (active, retiring) = (fixture.ring.snapshot.keys[0].id, fixture.ring.snapshot.keys[2].id)
        let token = try fixture.issuer.sign(access: TokenFixture.accessClaims()).expose()
        let until = (TokenFixture.now + TokenFixture.retiredKeysVerifyFor).milliseconds
        try home.write(
            """
            {"version": 1, "root": "\(fixture.folder.rootFingerprint)", "keys": [
              {"kid": "\(active)", "alg": "ES256", "createdAt": 1799999999123},
              {"kid": "\(retiring)", "alg": "ES256", "createdAt": 1799999990123, "retiredAt": 1800000000123,
               "verifyUntil": \(until)}
            ]}
            """,
            to: "keys/signing/ring.json"
        )
        let again = try TokenFixture(home: home)
        #expect(again.ring.snapshot.keys.map(\.state) == [.active, .next, .retiring])
        #expect(again.ring.snapshot.keys[0].id == active && again.ring.snapshot.keys[2].id == retiring)
        _ = try again.verify(access: token)
        try again.ring.rotate(now: TokenFixture.now)
        let left = try #require(again.ring.snapshot.keys.first { $0.id == active })
        #expect(left.verifiesUntil == TokenFixture.now + TokenFixture.retiredKeysVerifyFor)
    }

    @Test func `a reload of a damaged ring keeps what was loaded`() throws {
        let before = fixture.ring.snapshot.keys
        try home.write("", to: "keys/signing/ring.json")
        #expect(throws: KeyError.damaged(path: ringPath, .notARing)) { try fixture.ring.reload() }
        #expect(fixture.ring.snapshot.keys == before)
    }

    @Test func `every fault is one sentence for the operator that names the path`() {
        let path = "/var/lib/vestibule/keys/signing/ring.json"
        let damages: [KeyError.Damage] = [
            .notARegularFile, .wrongSize(expected: 32, found: 31), .tooLarge(limit: 4096), .notARing,
            .unknownRingVersion(3), .activeKeys(0), .nextKeys(2), .duplicateKey("k"), .notAKey(algorithm: "ES256"),
            .thumbprintMismatch(found: "t"), .undecryptable, .foreignRoot,
        ]
        let faults: [KeyError] =
            [
                .tooOpen(path: path, mode: 0o644, remedy: "chmod 600 '\(path)'"),
                .foreignOwner(path: path, owner: 1, expected: 0), .missing(path: path), .encrypted(path: path),
                .unavailable(path: path, action: "open", cause: "Permission denied"),
            ] + damages.map { .damaged(path: path, $0) }
        for fault in faults { #expect(fault.description.contains(path)) }
        #expect(Set(faults.map(\.description)).count == faults.count)
    }
}
