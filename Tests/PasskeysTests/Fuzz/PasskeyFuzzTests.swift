import Foundation
import Fuzzing
import Kernel
import Testing

@testable import Passkeys

/// A seeded mutator against everything that reads bytes of a client: whatever comes, it answers, and what it takes is
/// what was sent.
///
/// `FUZZ_INPUTS` is how many inputs each test makes (50,000), `FUZZ_SEED` where they begin; a failure prints its input.
/// `make fuzz` runs ten million of each.
@Suite(.timeLimit(.minutes(FuzzRun.minutes))) struct PasskeyFuzzTests {
    private static let tokens = [
        "", "\u{0}", "\u{1}", "\u{18}", "\u{19}\u{1}\u{0}", " ", "@", "X ", "`", "cfmt", "gattStmt", "hauthData",
        "csig", "cx5c", "calg", "dnone", "fpacked", "\"", "\\u0000", "\\ud800", "{", "}", "[", "]", ",", ":", "true",
        "null", #""origin""#, #""type":"webauthn.get""#, "https://example.com", "é", "\u{FEFF}",
    ]

    /// The inputs of the vectors, so that the mutator begins with valid ones.
    private static let registrations: [(data: [UInt8], object: [UInt8], key: [UInt8])] = W3CVector.all.compactMap {
        guard let response = try? RegistrationResponse(json: $0.registration.json),
            let object = try? AttestationObject(response.attestationObject),
            let credential = object.authenticatorData.credential
        else { return nil }
        return (object.authenticatorData.bytes, response.attestationObject, credential.publicKeyBytes)
    }

    private static let clientData: [[UInt8]] =
        W3CVector.all.compactMap { try? RegistrationResponse(json: $0.registration.json).clientDataJSON }
        + W3CVector.all.compactMap { try? AuthenticationResponse(json: $0.authentication.json).clientDataJSON }

    private func fuzz(
        _ corpus: [[UInt8]],
        _ seed: UInt64,
        in test: String = #function,
        _ take: ([UInt8], Int) async throws -> Bool
    ) async throws {
        try await FuzzedInputs(seed: seed, tokens: Self.tokens).change(corpus, in: test, take)
    }

    @Test func `CBOR that is read is written again as it was sent`() async throws {
        let small: [[UInt8]] = [[0xA0], [0x83, 0x01, 0x20, 0xF5]]
        let corpus = Self.registrations.map(\.object) + Self.registrations.map(\.key) + small
        try await fuzz(corpus, 50) { bytes, number in
            guard let value = try? CBORReader.read(bytes, keys: .any) else { return false }
            try #require(CBORWriter.bytes(value) == bytes, "input \(number): \(bytes)")
            if let canonical = try? CBORReader.read(bytes) {
                try #require(canonical == value, "input \(number): \(bytes)")
            }
            return true
        }
    }

    @Test func `authenticator data that are read are whole`() async throws {
        try await fuzz(Self.registrations.map(\.data) + [AuthenticatorDataParts(flags: [.userPresent]).bytes], 52) {
            bytes,
            number in
            guard let data = try? AuthenticatorData(bytes) else { return false }
            var parts = Array(bytes[..<37])
            if let credential = data.credential {
                parts += credential.aaguid.bytes
                let count = credential.id.bytes.count
                parts += [UInt8(count >> 8), UInt8(count & 0xFF)] + credential.id.bytes + credential.publicKeyBytes
            }
            if data.flags.contains(.extensions) { parts += CBORWriter.bytes(.map(data.extensions)) }
            try #require(parts == bytes, "input \(number): \(bytes)")
            return true
        }
    }

    @Test func `an attestation object that is read is whole`() async throws {
        try await fuzz(Self.registrations.map(\.object), 53) { bytes, number in
            guard let object = try? AttestationObject(bytes) else { return false }
            let members: [String: CBORValue] = [
                "fmt": .text(object.statement.format), "attStmt": .map(object.statement.members),
                "authData": .bytes(object.authenticatorData.bytes),
            ]
            // They are written in the order in which they came: any.
            let names = try CBORReader.read(bytes, keys: .any).mapping?.entries.compactMap(\.key.textString) ?? []
            let entries = names.compactMap { name in
                members[name].map { CBORMap.Entry(key: .text(name), value: $0) }
            }
            try #require(CBORWriter.bytes(.map(CBORMap(entries))) == bytes, "input \(number): \(bytes)")
            return true
        }
    }

    @Test func `client data that are read say the same to another reader`() async throws {
        try await fuzz(Self.clientData, 54) { bytes, number in
            guard let clientData = try? ClientData(bytes) else { return false }
            let other = try JSONSerialization.jsonObject(with: Self.unmarked(bytes)) as? [String: Any]
            let text = String(decoding: bytes, as: UTF8.self)
            let pairs: [(String, String?)] = [
                ("type", clientData.type), ("challenge", clientData.challenge), ("origin", clientData.origin),
                ("topOrigin", clientData.topOrigin),
            ]
            for (name, ours) in pairs {
                let theirs = other?[name] as? String
                let expected = ours?.replacing("\u{FEFF}", with: "\u{FFFD}")
                try #require(theirs == expected, "input \(number), \(name): \(text)")
            }
            let isCrossOrigin = other?["crossOrigin"] as? Bool ?? false
            try #require(isCrossOrigin == clientData.isCrossOrigin, "input \(number): \(text)")
            return true
        }
    }

    /// With another character for each mark of byte order behind the beginning.
    ///
    /// Foundation drops the mark at the beginning of every name and text. There it is a character like any other: RFC
    /// 8259 §8.1 is about the document's beginning alone.
    private static func unmarked(_ bytes: [UInt8]) -> Data {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let first = bytes.starts(with: mark) ? mark : []
        return Data(first + bytes.dropFirst(first.count).replacing(mark, with: [0xEF, 0xBF, 0xBD]))
    }
}
