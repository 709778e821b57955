import Foundation
import Kernel
import Testing

@testable import Tokens

struct KeyRingTests {
    private let bench: TokenBench

    init() throws { bench = try TokenBench() }

    private var home: TemporaryFolder { bench.home }
    private var ringPath: String { home.file("keys/signing/ring.json") }
    private var keyName: String { "keys/signing/\(bench.ring.snapshot.keys[0].id).pem" }

    private func fault() -> KeyFault? {
        do {
            _ = try TokenBench.openRing(bench.folder)
            return nil
        } catch {
            return error as? KeyFault
        }
    }

    private func editRing(_ edit: (String) -> String) throws {
        let before = try home.text("keys/signing/ring.json")
        let after = edit(before)
        #expect(before != after)
        try home.write(after, to: "keys/signing/ring.json")
    }

    // MARK: Rotation

    @Test func `a rotation signs with the new key and dates the old one`() throws {
        let old = bench.ring.snapshot.keys[0].id
        let later = TokenBench.now + .seconds(60)
        let new = try bench.ring.rotate(now: later)
        #expect(
            bench.ring.snapshot.keys == [
                KeySummary(id: new, algorithm: .es256, createdAt: later, retiredAt: nil, verifiesUntil: nil),
                KeySummary(
                    id: old,
                    algorithm: .es256,
                    createdAt: TokenBench.now,
                    retiredAt: later,
                    verifiesUntil: later + TokenBench.retiredKeysVerifyFor
                ),
            ]
        )
        let token = try bench.issuer.sign(access: TokenBench.accessClaims()).expose()
        let header = try #require(Base64URL.decode(Forge.parts(token)[0]))
        #expect(String(decoding: header, as: UTF8.self).contains(new.text))
    }

    @Test func `the new key signs also when the clock was set back before the rotation`() throws {
        let old = bench.ring.snapshot.keys[0].id
        let new = try bench.ring.rotate(now: TokenBench.now - .seconds(3600))
        #expect(bench.ring.snapshot.keys.map(\.id) == [new, old])
        let again = try TokenBench(home: home)
        #expect(again.ring.snapshot.keys.map(\.id) == [new, old])
    }

    @Test func `a rotation outlives the process`() throws {
        let token = try bench.issuer.sign(access: TokenBench.accessClaims()).expose()
        try bench.ring.rotate(now: TokenBench.now)
        let again = try TokenBench(home: home)
        #expect(again.ring.snapshot.keys == bench.ring.snapshot.keys)
        _ = try again.verify(access: token)
    }

    @Test func `a rotation may change the algorithm, and both kinds verify`() throws {
        let token = try bench.issuer.sign(access: TokenBench.accessClaims()).expose()
        let again = try TokenBench(.edDSA, home: home)
        #expect(again.ring.snapshot.keys.map(\.algorithm) == [.es256])
        try again.ring.rotate(now: TokenBench.now + .seconds(1))
        #expect(again.ring.snapshot.keys.map(\.algorithm) == [.edDSA, .es256])
        _ = try again.verify(access: token)
        _ = try again.verify(access: try again.issuer.sign(access: TokenBench.accessClaims()).expose())
    }

    @Test func `a second rotation does not lengthen the first key's time`() throws {
        let first = bench.ring.snapshot.keys[0].id
        try bench.ring.rotate(now: TokenBench.now)
        try bench.ring.rotate(now: TokenBench.now + .seconds(100))
        let summary = try #require(bench.ring.snapshot.keys.first { $0.id == first })
        #expect(summary.retiredAt == TokenBench.now)
        #expect(summary.verifiesUntil == TokenBench.now + TokenBench.retiredKeysVerifyFor)
    }

    @Test func `rotating drops keys whose time is over, with their files`() throws {
        let first = bench.ring.snapshot.keys[0].id
        try bench.ring.rotate(now: TokenBench.now)
        let third = try bench.ring.rotate(now: TokenBench.now + TokenBench.retiredKeysVerifyFor)
        let ids = bench.ring.snapshot.keys.map(\.id)
        #expect(ids.count == 2 && ids.contains(third) && !ids.contains(first))
        #expect(try home.keyFiles() == ids.map { "\($0).pem" }.sorted())
    }

    @Test func `a rotation that can't be written changes nothing`() throws {
        let before = bench.ring.snapshot.keys
        let ringBytes = try home.bytes("keys/signing/ring.json")
        // A folder where the draft of the ring would be written: fails for root as well.
        try FileManager.default.createDirectory(atPath: ringPath + ".new", withIntermediateDirectories: false)
        #expect(throws: KeyFault.self) { try bench.ring.rotate(now: TokenBench.now) }
        #expect(bench.ring.snapshot.keys == before)
        #expect(try home.bytes("keys/signing/ring.json") == ringBytes)
        let token = try bench.issuer.sign(access: TokenBench.accessClaims()).expose()
        try FileManager.default.removeItem(atPath: ringPath + ".new")
        let again = try TokenBench(home: home)
        #expect(again.ring.snapshot.keys == before)
        _ = try again.verify(access: token)
        // The key that never became one is swept away by the next change.
        try again.ring.rotate(now: TokenBench.now)
        #expect(try home.keyFiles().count == 2)
    }

    @Test func `pruning removes key, file and trust, and has nothing to do before`() throws {
        let old = bench.ring.snapshot.keys[0].id
        try bench.ring.rotate(now: TokenBench.now)
        let end = TokenBench.now + TokenBench.retiredKeysVerifyFor
        #expect(try bench.ring.prune(now: end - .milliseconds(1)).isEmpty)
        #expect(try bench.ring.prune(now: end) == [old])
        #expect(try bench.ring.prune(now: end).isEmpty)
        #expect(try home.keyFiles() == bench.ring.snapshot.keys.map { "\($0.id).pem" })
        #expect(fault() == nil)
    }

    @Test func `files of others in the folder are left alone`() throws {
        try home.write("note", to: "keys/signing/note.pem")
        try home.write("note", to: "keys/signing/README")
        try bench.ring.rotate(now: TokenBench.now)
        #expect(try home.text("keys/signing/note.pem") == "note")
        #expect(try home.text("keys/signing/README") == "note")
    }

    // MARK: Several processes

    @Test func `a reload sees what another process rotated, and a rotation builds on it`() throws {
        let other = try TokenBench(home: home)
        let second = try other.ring.rotate(now: TokenBench.now + .seconds(1))
        #expect(bench.ring.snapshot.keys.count == 1)
        try bench.ring.reload()
        #expect(bench.ring.snapshot.keys == other.ring.snapshot.keys)
        let third = try other.ring.rotate(now: TokenBench.now + .seconds(2))
        let fourth = try bench.ring.rotate(now: TokenBench.now + .seconds(3))
        #expect(bench.ring.snapshot.keys.map(\.id).prefix(3) == [fourth, third, second])
    }

    @Test func `rotations at once from several rings lose no key`() async throws {
        let home = home
        try await withThrowingTaskGroup(of: Void.self) { group in
            for turn in 1...8 {
                group.addTask {
                    let bench = try TokenBench(home: home)
                    try bench.ring.rotate(now: TokenBench.now + .seconds(turn))
                }
            }
            try await group.waitForAll()
        }
        try bench.ring.reload()
        #expect(bench.ring.snapshot.keys.count == 9)
        #expect(try home.keyFiles().count == 9)
    }

    // MARK: Damage

    @Test func `a key file that holds another key than its name says is refused`() throws {
        let other = SigningKey.generate(.es256)
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
        for broken in ["", "x", String(pem.dropLast(60)), SigningKey.generate(.edDSA).pem] {
            try home.write(broken, to: keyName)
            #expect(fault() == .damaged(path: home.file(keyName), .notAKey(algorithm: "ES256")))
        }
        try home.remove(keyName)
        #expect(fault() == .missing(path: home.file(keyName)))
    }

    @Test func `a damaged or missing ring is refused, never replaced`() throws {
        let good = try home.text("keys/signing/ring.json")
        for broken in ["", "{}", "[]", String(good.dropLast(20)), good.replacing("ES256", with: "RS256")] {
            try home.write(broken, to: "keys/signing/ring.json")
            #expect(fault() == .damaged(path: ringPath, .notARing))
        }
        try home.remove("keys/signing/ring.json")
        #expect(fault() == .missing(path: ringPath))
        #expect(throws: KeyFault.missing(path: ringPath)) { try bench.ring.rotate(now: TokenBench.now) }
    }

    @Test func `a ring of a later version is named as such`() throws {
        try editRing { $0.replacing("\"version\" : 1", with: "\"version\" : 2") }
        #expect(fault() == .damaged(path: ringPath, .unknownRingVersion(2)))
    }

    @Test func `a ring that names a path instead of a key is refused`() throws {
        let id = bench.ring.snapshot.keys[0].id.text
        try editRing { $0.replacing(id, with: "../root") }
        #expect(fault() == .damaged(path: ringPath, .notARing))
    }

    @Test func `a ring needs exactly one current key, and each only once`() throws {
        try bench.ring.rotate(now: TokenBench.now + .seconds(1))
        let good = try home.text("keys/signing/ring.json")
        var record = try RingRecord.decode(Array(good.utf8), path: ringPath)
        let entries = record.keys

        for index in record.keys.indices { (record.keys[index].retiredAt, record.keys[index].verifyUntil) = (nil, nil) }
        try home.write(String(decoding: try record.encoded(), as: UTF8.self), to: "keys/signing/ring.json")
        #expect(fault() == .damaged(path: ringPath, .currentKeys(2)))

        for index in record.keys.indices { (record.keys[index].retiredAt, record.keys[index].verifyUntil) = (1, 2) }
        try home.write(String(decoding: try record.encoded(), as: UTF8.self), to: "keys/signing/ring.json")
        #expect(fault() == .damaged(path: ringPath, .currentKeys(0)))

        record.keys = entries + [entries[0]]
        try home.write(String(decoding: try record.encoded(), as: UTF8.self), to: "keys/signing/ring.json")
        #expect(fault() == .damaged(path: ringPath, .duplicateKey(entries[0].kid)))

        record.keys = entries
        for index in record.keys.indices { record.keys[index].verifyUntil = 2 }
        try home.write(String(decoding: try record.encoded(), as: UTF8.self), to: "keys/signing/ring.json")
        #expect(fault() == .damaged(path: ringPath, .notARing))
    }

    @Test func `a reload of a damaged ring keeps what was loaded`() throws {
        let before = bench.ring.snapshot.keys
        try home.write("", to: "keys/signing/ring.json")
        #expect(throws: KeyFault.damaged(path: ringPath, .notARing)) { try bench.ring.reload() }
        #expect(bench.ring.snapshot.keys == before)
    }

    @Test func `every fault is one sentence for the operator that names the path`() {
        let path = "/var/lib/vestibule/keys/signing/ring.json"
        let damages: [KeyFault.Damage] = [
            .notARegularFile, .wrongSize(expected: 32, found: 31), .tooLarge(limit: 4096), .notARing,
            .unknownRingVersion(2), .currentKeys(0), .duplicateKey("k"), .notAKey(algorithm: "ES256"),
            .thumbprintMismatch(found: "t"), .foreignRoot,
        ]
        let faults: [KeyFault] =
            [
                .tooOpen(path: path, mode: 0o644, remedy: "chmod 600 '\(path)'"),
                .foreignOwner(path: path, owner: 1, expected: 0), .missing(path: path),
                .unavailable(path: path, action: "open", cause: "Permission denied"),
            ] + damages.map { .damaged(path: path, $0) }
        for fault in faults { #expect(fault.description.contains(path)) }
        #expect(Set(faults.map(\.description)).count == faults.count)
    }
}
