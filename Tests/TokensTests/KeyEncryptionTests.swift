import Foundation
import Kernel
import Testing
import TokenReading

@testable import Tokens

struct KeyEncryptionTests {
    private static let first = Secret("first sealing key of at least 32 bytes")
    private static let second = Secret("second sealing key of at least 32 bytes")

    private let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func files() throws -> [String] {
        ["keys/root.key"] + (try home.keyFiles().map { "keys/signing/\($0)" })
    }

    private func fault(_ keys: [Secret] = []) -> KeyError? {
        do {
            _ = try TokenFixture(home: home, encryptionKeys: keys)
            return nil
        } catch { return error as? KeyError }
    }

    // T-206
    @Test(arguments: SigningAlgorithm.allCases)
    func `with a sealing key no file of the folder holds a key, and a restart opens all`(
        algorithm: SigningAlgorithm
    ) throws {
        let fixture = try TokenFixture(algorithm, home: home, encryptionKeys: [Self.first])
        let token = try fixture.issuer.sign(access: TokenFixture.accessClaims()).expose()
        try fixture.ring.rotate(now: TokenFixture.now)
        #expect(try files().count == 4)
        for file in try files() {
            let text = try home.text(file)
            #expect(text.hasPrefix("vestibule-sealed-1 ") && !text.contains("PRIVATE KEY"))
            #expect(try home.mode(of: file) == 0o600)
        }
        let again = try TokenFixture(algorithm, home: home, encryptionKeys: [Self.first])
        #expect(again.ring.snapshot.keys == fixture.ring.snapshot.keys)
        #expect(again.folder.rootFingerprint == fixture.folder.rootFingerprint)
        _ = try again.verify(access: token)
    }

    // T-206
    @Test
    func `a folder is encrypted once there is a key, again when the key changes, and never decrypted by itself`()
        throws
    {
        let fixture = try TokenFixture(home: home)
        let plain = try files().map { try home.bytes($0) }
        #expect(fault([Self.first]) == nil)
        let encrypted = try files().map { try home.bytes($0) }
        for (before, after) in zip(plain, encrypted) { #expect(before != after) }
        #expect(fault([Self.first]) == nil)
        #expect(try files().map { try home.bytes($0) } == encrypted, "it is sealed as it should be")

        #expect(fault() == .encrypted(path: home.file("keys/root.key")))
        #expect(fault([Self.second]) == .encrypted(path: home.file("keys/root.key")))
        #expect(fault([Self.second, Self.first]) == nil)
        #expect(fault([Self.second]) == nil, "the earlier key is needed no more")
        #expect(fault([Self.first]) == .encrypted(path: home.file("keys/root.key")))
        #expect(
            try TokenFixture(home: home, encryptionKeys: [Self.second]).ring.snapshot.keys == fixture.ring.snapshot.keys
        )
    }

    // T-223
    @Test func `a key file that can't be opened is named, with what to do`() throws {
        let fixture = try TokenFixture(home: home, encryptionKeys: [Self.first])
        let path = home.file("keys/signing/\(fixture.ring.snapshot.keys[0].id).pem")
        let sentence = try #require(fault()).description
        #expect(sentence.contains(home.file("keys/root.key")) && sentence.contains("secrets.sealingKey"))
        let other = home.file("keys/signing/\(fixture.ring.snapshot.keys[1].id).pem")
        let good = try Data(contentsOf: URL(fileURLWithPath: path))

        // Another key's file in its place, a changed byte, half of it, and none of it.
        var changed = good
        changed[changed.count - 10] ^= 1
        for bytes in [
            try Data(contentsOf: URL(fileURLWithPath: other)), changed, good.prefix(good.count / 2),
            Data("vestibule-sealed-1 ".utf8), Data("vestibule-sealed-1 a b c".utf8),
        ] {
            try bytes.write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            let found = try #require(fault([Self.first]))
            #expect(found == .damaged(path: path, .undecryptable) || found == .encrypted(path: path))
            #expect(found.description.contains(path))
        }
    }

    // T-206
    @Test func `killed between two files, a folder with old and new seals opens with both keys`() throws {
        _ = try TokenFixture(home: home, encryptionKeys: [Self.first])
        let old = try home.keyFiles().map { ($0, try home.text("keys/signing/\($0)")) }
        #expect(fault([Self.second, Self.first]) == nil)
        try home.write(old[0].1, to: "keys/signing/\(old[0].0)")
        #expect(fault([Self.second]) == .encrypted(path: home.file("keys/signing/\(old[0].0)")))
        #expect(fault([Self.second, Self.first]) == nil)
        #expect(fault([Self.second]) == nil)
    }
}
