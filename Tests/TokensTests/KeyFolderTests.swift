import Crypto
import Foundation
import Kernel
import Testing
import TokenReading

@testable import Tokens

struct KeyFolderTests {
    private let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func bytes(_ key: SymmetricKey) -> [UInt8] { key.withUnsafeBytes(Array.init) }

    /// Returns the first thing that a start complains about.
    private func fault() -> KeyError? {
        do {
            _ = try TokenFixture(home: home)
            return nil
        } catch {
            return error as? KeyError
        }
    }

    // T-206
    @Test func `the first start makes folders and files that nobody else can read`() throws {
        let fixture = try TokenFixture(home: home)
        #expect(try home.mode(of: "keys") == 0o700)
        #expect(try home.mode(of: "keys/signing") == 0o700)
        let pems = fixture.ring.snapshot.keys.map { "\($0.id).pem" }
        #expect(pems.count == 2)
        for file in ["root.key", "lock", "signing/ring.json"] + pems.map({ "signing/\($0)" }) {
            #expect(try home.mode(of: "keys/\(file)") == 0o600)
        }
        #expect(try home.bytes("keys/root.key").count == 32)
        #expect(try home.names(in: "keys") == ["lock", "root.key", "signing"])
        #expect(try home.names(in: "keys/signing") == (pems + ["ring.json"]).sorted())
    }

    // T-215
    @Test func `the mark for a database is returned without making a root, and differs for another root`() throws {
        let path = home.file("keys")
        #expect(try KeyFolder.find(at: path, environment: TokenFixture.environment) == nil)
        #expect(!FileManager.default.fileExists(atPath: path))
        let folder = try TokenFixture.openFolder(home)
        #expect(
            try KeyFolder.find(at: path, environment: TokenFixture.environment)?.databaseMark == folder.databaseMark
        )
        #expect(try TokenFixture.openFolder(TemporaryFolder()).databaseMark != folder.databaseMark)
    }

    // The folder may be another server's by mistake: encrypted with our key, its own server could not open it again.
    @Test func `attack: reading the mark with an encryption key leaves an unencrypted key folder as it was`() throws {
        let folder = try TokenFixture.openFolder(home)
        let before = try home.bytes("keys/root.key")
        let key = Secret("a sealing key of at least 32 bytes, ours")
        let found = try KeyFolder.find(
            at: home.file("keys"),
            environment: TokenFixture.environment,
            encryptionKeys: [key]
        )
        #expect(found?.databaseMark == folder.databaseMark)
        #expect(found?.derivedKey(.audit) == folder.derivedKey(.audit))
        #expect(try home.bytes("keys/root.key") == before)
    }

    @Test func `a later start loads the same keys`() throws {
        let first = try TokenFixture(home: home)
        let second = try TokenFixture(home: home)
        #expect(first.ring.snapshot.keys == second.ring.snapshot.keys)
        for purpose in KeyPurpose.allCases {
            #expect(first.folder.derivedKey(purpose) == second.folder.derivedKey(purpose))
        }
    }

    @Test func `each purpose has its own key, made by HKDF-SHA256 from the root`() throws {
        let folder = try TokenFixture.openFolder(home)
        let root = SymmetricKey(data: try home.bytes("keys/root.key"))
        // RFC 5869 by hand: extract with a salt of zeros, expand by one block.
        let zeros = SymmetricKey(data: [UInt8](repeating: 0, count: 32))
        let pseudorandom = HMAC<SHA256>.authenticationCode(for: bytes(root), using: zeros)
        for (purpose, label) in [
            (KeyPurpose.audit, "audit"), (.deviceCookie, "device-cookie"),
            (.callerFingerprint, "caller-fingerprint"), (.refreshToken, "refresh-token"),
            (.refreshSuccession, "refresh-succession"),
            (.encryption, "sealing"), (.idTag, "id-tag"), (.emailCode, "email-code"), (.addressProof, "address-proof"),
            (.brokerTicket, "broker-ticket"),
            (.signInPage, "sign-in-page"),
            (.backchannelTicket, "backchannel-ticket"),
            // Kept in the clear: one more output of HKDF, of which nothing leads to the root or to another key.
            (.databaseMark, "database-mark"),
        ] {
            let block = HMAC<SHA256>.authenticationCode(
                for: Array("vestibule/1/\(label)".utf8) + [1],
                using: SymmetricKey(data: Array(pseudorandom))
            )
            #expect(bytes(folder.derivedKey(purpose)) == Array(block))
        }
        #expect(Set(KeyPurpose.allCases.map { bytes(folder.derivedKey($0)) }).count == KeyPurpose.allCases.count)
    }

    @Test func `another root gives other keys and another fingerprint`() throws {
        let other = try TemporaryFolder()
        let (a, b) = (try TokenFixture.openFolder(home), try TokenFixture.openFolder(other))
        #expect(a.rootFingerprint != b.rootFingerprint)
        #expect(a.derivedKey(.audit) != b.derivedKey(.audit))
    }

    // T-206
    @Test(arguments: [0o640, 0o604, 0o620, 0o666])
    func `a root key that others can reach is refused with the command that mends it`(mode: Int) throws {
        _ = try TokenFixture(home: home)
        try home.setMode(mode, of: "keys/root.key")
        let path = home.file("keys/root.key")
        let found = fault()
        #expect(found == .tooOpen(path: path, mode: UInt32(mode), remedy: "chmod 600 '\(path)'"))
        let sentence = try #require(found?.description)
        #expect(sentence.contains(path) && sentence.contains("chmod 600") && sentence.contains(String(mode, radix: 8)))
        try home.setMode(0o600, of: "keys/root.key")
        #expect(fault() == nil)
    }

    // T-206
    @Test func `folders and ring files that others can reach are refused`() throws {
        let fixture = try TokenFixture(home: home)
        let pem = "keys/signing/\(fixture.ring.snapshot.keys[0].id).pem"
        for (name, mode, good) in [
            ("keys", 0o750, 0o700), ("keys/signing", 0o701, 0o700), ("keys/signing/ring.json", 0o644, 0o600),
            (pem, 0o640, 0o600),
        ] {
            try home.setMode(mode, of: name)
            let path = home.file(name)
            #expect(
                fault()
                    == .tooOpen(path: path, mode: UInt32(mode), remedy: "chmod \(String(good, radix: 8)) '\(path)'")
            )
            try home.setMode(good, of: name)
        }
        #expect(fault() == nil)
    }

    // T-206
    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `a file of another user is refused`() throws {
        _ = try TokenFixture(home: home)
        let path = home.file("keys/root.key")
        try #require(chown(path, 12345, 12345) == 0)
        #expect(fault() == .foreignOwner(path: path, owner: 12345, expected: 0))
    }

    @Test(arguments: [0, 31, 33])
    func `a root key of another length is refused`(count: Int) throws {
        _ = try TokenFixture(home: home)
        try home.write(String(repeating: "k", count: count), to: "keys/root.key")
        #expect(fault() == .damaged(path: home.file("keys/root.key"), .wrongSize(expected: 32, found: count)))
    }

    @Test func `a huge file is not read into memory`() throws {
        _ = try TokenFixture(home: home)
        try home.write(String(repeating: "k", count: 100_000), to: "keys/root.key")
        #expect(fault() == .damaged(path: home.file("keys/root.key"), .tooLarge(limit: 4096)))
    }

    // T-206
    @Test func `a link, a folder or a pipe in the place of a key is refused`() throws {
        _ = try TokenFixture(home: home)
        let path = home.file("keys/root.key")
        try FileManager.default.moveItem(atPath: path, toPath: home.file("elsewhere"))
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: home.file("elsewhere"))
        #expect(fault() == .damaged(path: path, .notARegularFile))
        try home.remove("keys/root.key")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(fault() == .damaged(path: path, .notARegularFile))
        try home.remove("keys/root.key")
        try #require(mkfifo(path, 0o600) == 0)
        #expect(fault() == .damaged(path: path, .notARegularFile))
    }

    // T-215
    @Test func `a root key that is gone is not quietly replaced`() throws {
        _ = try TokenFixture(home: home)
        try home.remove("keys/root.key")
        #expect(fault() == .missing(path: home.file("keys/root.key")))
        #expect(!FileManager.default.fileExists(atPath: home.file("keys/root.key")))
    }

    // T-215
    @Test func `a root key from elsewhere is refused beside this ring`() throws {
        _ = try TokenFixture(home: home)
        try home.write(String(repeating: "k", count: 32), to: "keys/root.key")
        #expect(fault() == .damaged(path: home.file("keys/signing/ring.json"), .foreignRoot))
    }

    @Test func `a folder that can't be made is a fault with the system's words`() throws {
        let path = home.file("missing/keys")
        #expect(
            throws: KeyError.unavailable(path: path, action: "create", cause: "No such file or directory")
        ) { try KeyFolder.open(at: path, environment: TokenFixture.environment) }
    }

    // T-266
    @Test func `a crash half-way through the first start leaves nothing in the next one's way`() throws {
        _ = try TokenFixture.openFolder(home)
        try FileManager.default.createDirectory(
            atPath: home.file("keys/signing.new"),
            withIntermediateDirectories: false
        )
        try home.write("half a ke", to: "keys/signing.new/x.pem")
        try home.write("half", to: "keys/root.key.new")
        let fixture = try TokenFixture(home: home)
        #expect(fixture.ring.snapshot.keys.map(\.state) == [.active, .next])
        #expect(try home.names(in: "keys/signing").count == 3)
    }

    @Test func `many first starts at once end with one root and one ring`() async throws {
        let home = home
        let found = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    let fixture = try TokenFixture(home: home)
                    return fixture.folder.rootFingerprint + " " + fixture.ring.snapshot.keys.map(\.id.text).joined()
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(found.count == 1)
        #expect(try home.keyFiles().count == 2)
    }
}
