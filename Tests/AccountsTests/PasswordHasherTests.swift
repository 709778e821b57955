import CryptoExtras
import Foundation
import Kernel
import Testing

@testable import Accounts

struct PasswordHasherTests {
    private let hasher = PasswordHasher(environment: StoppedClock().environment)

    @Test func `a hash carries its parameters, its salt and 256 bits, and verifies by deriving it again`() async throws
    {
        let parts = try await hasher.hash(Secret("correct horse battery")).expose().split(separator: "$")
        #expect(parts.prefix(4) == ["scrypt", "16384", "8", "5"])
        try #require(parts.count == 6)
        let salt = try #require(Base64URL.decode(parts[4]))
        #expect(salt.count == 16)
        let derived = try Self.scrypt("correct horse battery", salt, 16384, 8, 5, 32)
        #expect(Base64URL.decode(parts[5]) == derived)
        let wrong = try Self.scrypt("correct horse batterx", salt, 16384, 8, 5, 32)
        #expect(Base64URL.decode(parts[5]) != wrong)
    }

    @Test func `the same password has another salt and another hash each time`() async throws {
        let first = try await hasher.hash(Secret("correct horse battery"))
        let second = try await hasher.hash(Secret("correct horse battery"))
        let parts = zip(first.expose().split(separator: "$"), second.expose().split(separator: "$"))
        #expect(parts.map { $0 == $1 } == [true, true, true, true, false, false])
    }

    /// RFC 7914 §12.
    @Test(arguments: [
        (
            "", "", 16, 1, 1,
            "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
        ),
        (
            "password", "NaCl", 1024, 8, 16,
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
        ),
        (
            "pleaseletmein", "SodiumChloride", 16384, 8, 1,
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
        ),
    ])
    func `the primitive computes the vectors of its RFC`(
        _ password: String,
        _ salt: String,
        _ rounds: Int,
        _ blockSize: Int,
        _ parallelism: Int,
        _ expected: String
    ) throws {
        let derived = try Self.scrypt(password, Array(salt.utf8), rounds, blockSize, parallelism, 64)
        #expect(derived.map { String(format: "%02x", $0) }.joined() == expected)
    }

    private static func scrypt(
        _ password: String,
        _ salt: [UInt8],
        _ rounds: Int,
        _ blockSize: Int,
        _ parallelism: Int,
        _ count: Int
    ) throws -> [UInt8] {
        try KDF.Scrypt.deriveKey(
            from: Data(password.utf8),
            salt: Data(salt),
            outputByteCount: count,
            rounds: rounds,
            blockSize: blockSize,
            parallelism: parallelism
        ).withUnsafeBytes { Array($0) }
    }
}
