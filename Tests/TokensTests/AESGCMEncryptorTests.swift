import Kernel
import Testing
import TokenReading

@testable import Tokens

struct AESGCMEncryptorTests {
    private static let first = Secret("first secret of at least 32 bytes")
    private static let second = Secret("second secret of at least 32 bytes")
    private static let text = Array("what is encrypted".utf8)

    private let folder: KeyFolder
    private let home: TemporaryFolder

    init() throws {
        home = try TemporaryFolder()
        folder = try TokenFixture.openFolder(home)
    }

    private func encryptor(_ secrets: Secret...) -> AESGCMEncryptor {
        AESGCMEncryptor(secrets, folder: folder, environment: TokenFixture.environment)
    }

    // T-209
    @Test func `an encrypted text decrypts again, and reveals nothing of itself`() throws {
        for encryptor in [encryptor(), encryptor(Self.first)] {
            let encrypted = try encryptor.encrypt(Self.text, as: "row 1")
            #expect(encrypted.count == 12 + Self.text.count + 16)
            #expect(!encrypted.indices.contains { encrypted[$0...].starts(with: Self.text.prefix(4)) })
            #expect(encryptor.decrypt(encrypted, key: encryptor.currentKey, as: "row 1") == Self.text)
        }
        #expect(try encryptor().decrypt(encryptor().encrypt([], as: ""), key: encryptor().currentKey, as: "") == [])
    }

    // T-209, T-222
    @Test func `attack: a changed byte, another context and another key all fail to decrypt`() throws {
        let encryptor = encryptor(Self.first, Self.second)
        let encrypted = try encryptor.encrypt(Self.text, as: "row 1")
        for index in encrypted.indices {
            var changed = encrypted
            changed[index] ^= 1
            #expect(encryptor.decrypt(changed, key: encryptor.currentKey, as: "row 1") == nil)
        }
        #expect(encryptor.decrypt(encrypted, key: encryptor.currentKey, as: "row 2") == nil)
        #expect(encryptor.decrypt(encrypted, key: self.encryptor(Self.second).currentKey, as: "row 1") == nil)
        #expect(encryptor.decrypt(encrypted, key: "", as: "row 1") == nil)
        for count in 0..<encrypted.count {
            #expect(encryptor.decrypt(Array(encrypted.prefix(count)), key: encryptor.currentKey, as: "row 1") == nil)
        }
    }

    @Test func `a key can be given and changed while what the earlier ones encrypted still decrypts`() throws {
        let (derived, given) = (encryptor(), encryptor(Self.first))
        let changed = encryptor(Self.second, Self.first)
        #expect(Set([derived.currentKey, given.currentKey, changed.currentKey]).count == 3)
        for old in [derived, given] {
            let encrypted = try old.encrypt(Self.text, as: "row")
            #expect(changed.decrypt(encrypted, key: old.currentKey, as: "row") == Self.text)
        }
        let encrypted = try changed.encrypt(Self.text, as: "row")
        #expect(given.decrypt(encrypted, key: changed.currentKey, as: "row") == nil, "it was dropped")
    }

    @Test func `text decrypts in its own context, and reveals nothing of itself`() throws {
        let encryptor = encryptor()
        let encrypted = try encryptor.encrypt(Secret("bank-at-1"), as: "access one")
        #expect(!encrypted.contains("bank-at-1") && encrypted.hasPrefix("\(encryptor.currentKey)."))
        #expect(encryptor.decrypt(encrypted, as: "access one") == Secret("bank-at-1"))
        #expect(try encryptor.encrypt(Secret("bank-at-1"), as: "access one") != encrypted)
    }

    // T-222
    /// A row's encrypted text that somebody moves to another row, or changes, is none.
    @Test func `attack: encrypted text that was changed or comes with another context fails to decrypt`() throws {
        let encryptor = encryptor()
        let encrypted = try encryptor.encrypt(Secret("bank-at-1"), as: "access one")
        for context: EncryptionContext in ["access two", "refresh one", "", "wallet access one"] {
            #expect(encryptor.decrypt(encrypted, as: context) == nil)
        }
        var flipped = Array(encrypted)
        let middle = flipped.count / 2
        flipped[middle] = flipped[middle] == "A" ? "B" : "A"
        for forged in [String(flipped), String(encrypted.dropFirst()), "", ".", "bank-at-1", encrypted + "AAAA"] {
            #expect(encryptor.decrypt(forged, as: "access one") == nil)
        }
        #expect(self.encryptor(Self.first).decrypt(encrypted, as: "access one") == Secret("bank-at-1"))
        let other = try TemporaryFolder()
        let elsewhere = AESGCMEncryptor(
            [],
            folder: try TokenFixture.openFolder(other),
            environment: TokenFixture.environment
        )
        #expect(elsewhere.decrypt(encrypted, as: "access one") == nil)
    }

    @Test func `text of an operator's earlier key decrypts still`() throws {
        let encrypted = try encryptor(Self.first).encrypt(Secret("bank-rt-1"), as: "refresh one")
        #expect(encryptor(Self.second, Self.first).decrypt(encrypted, as: "refresh one") == Secret("bank-rt-1"))
        #expect(encryptor(Self.second).decrypt(encrypted, as: "refresh one") == nil)
    }
}
