import Foundation
import Fuzzing
import Kernel
import SwiftASN1
import Testing
import X509

@testable import Passkeys

/// A seeded mutator against the small readers that trust hangs on.
///
/// They read origins and anchors of the config, and two extensions of certificates. An accepted input is in the one
/// form that its reader is for, and each test reads it in another way.
///
/// `FUZZ_INPUTS` is how many inputs each test makes (50,000), `FUZZ_SEED` where they begin; a failure prints its input.
/// `make fuzz` runs ten million of each.
@Suite(.timeLimit(.minutes(FuzzRun.minutes))) struct TrustFuzzTests {
    private static let tokens = [
        "", "https://", "http://", "android:apk-key-hash:", "localhost", ".", ":", ":443", ":80", "/", "-", "@", "%41",
        "xn--", "é", "\u{301}", "\u{212A}", "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----", "\n", "\r\n",
        "=", "0\u{0}", "\u{4}\u{20}", "\u{6}\u{1}\u{2A}", "\u{5}\u{0}", "\u{1}\u{1}", "\u{0}", "0",
    ]

    private func fuzz(
        _ corpus: [[UInt8]],
        _ seed: UInt64,
        count: Int = FuzzRun.inputs,
        in test: String = #function,
        _ take: ([UInt8], Int) async throws -> Bool
    ) async throws {
        try await FuzzedInputs(seed: seed, tokens: Self.tokens, count: count).change(corpus, in: test, take)
    }

    @Test func `an origin that is taken is written as browsers write it`() async throws {
        let origins = [
            "https://example.com", "https://login.example.com:8443", "http://localhost:3000", "http://app.localhost",
            "android:apk-key-hash:nyISFFWSraq1Fs3OtjGQOK01NBGxVAyNaRcRUaHZQmw",
        ]
        let page = #/(https?):\/\/([a-z0-9.\-]+)(?::([1-9][0-9]*))?/#
        try await fuzz(origins.map { Array($0.utf8) }, 70) { bytes, number in
            guard let text = String(validating: bytes, as: UTF8.self), let origin = try? Origin(text) else {
                return false
            }
            try #require(bytes.allSatisfy { $0 < 0x80 }, "input \(number): \(text)")
            guard let host = origin.host else {
                let prefix = "android:apk-key-hash:"
                let hash = try #require(Base64URL.decode(text.dropFirst(prefix.count)), "input \(number): \(text)")
                try #require(hash.count == 32, "input \(number): \(text)")
                try #require(prefix + Base64URL.encode(hash) == text, "input \(number): \(text)")
                return true
            }
            let parts = try #require(text.wholeMatch(of: page), "input \(number): \(text)").output
            try #require(parts.2 == host && host.utf8.count <= 253, "input \(number): \(text)")
            let isLocal = host.split(separator: ".").last == "localhost"
            try #require(parts.1 == "https" || isLocal, "input \(number): \(text)")
            let port = parts.3.map { Int($0) ?? 0 }
            try #require(port != (parts.1 == "https" ? 443 : 80), "input \(number): \(text)")
            try #require((1...65_535).contains(port ?? 1), "input \(number): \(text)")
            return true
        }
    }

    @Test func `an accepted anchor is in its file`() async throws {
        let certificates = try ["First", "Second"].map { try TestAuthority(.authority($0)).certificate }
        let documents = try certificates.map { try $0.serializeAsPEM().pemString + "\n" }
        let corpus = [
            Array(documents[0].utf8), Array(documents.joined(separator: "Example root\n").utf8),
            try certificates[0].der(),
        ]
        try await fuzz(corpus, 71, count: FuzzRun.dearInputs(oneIn: 5)) { bytes, number in
            let file = TrustAnchors.File(name: "anchors", bytes: bytes)
            guard let anchors = try? TrustAnchors(files: [file]) else { return false }
            let standing = bytes.first == 0x30 ? [bytes] : Self.documents(String(decoding: bytes, as: UTF8.self))
            try #require(anchors.count > 0 && anchors.count <= standing.count, "input \(number): \(bytes)")
            for anchor in anchors.certificates {
                try #require(standing.contains(try anchor.der()), "input \(number): \(bytes)")
            }
            return true
        }
    }

    /// The text between the marks of certificates, by another reader.
    private static func documents(_ text: String) -> [[UInt8]] {
        text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().compactMap { part in
            let inner = part.components(separatedBy: "-----END CERTIFICATE-----")[0]
            return Data(base64Encoded: inner, options: .ignoreUnknownCharacters).map { Array($0) }
        }
    }

    @Test func `accepted policies have nothing but text for people`() async throws {
        let notice: [UInt8] = [0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x02, 0x02]
        let corpus: [[UInt8]] = [
            [0x30, 0x05, 0x30, 0x03, 0x06, 0x01, 0x2A],
            [0x30, 0x15, 0x30, 0x13, 0x06, 0x01, 0x2A, 0x30, 0x0E, 0x30, 0x0C] + notice + [0x30, 0x00],
            [0x30, 0x0A, 0x30, 0x03, 0x06, 0x01, 0x2A, 0x30, 0x03, 0x06, 0x01, 0x2B],
        ]
        try await fuzz(corpus, 72) { bytes, number in
            let found = Certificate.Extension.test(CertificatePolicies.identifier, bytes, critical: true)
            guard CertificatePolicies.areUnderstood(found) else { return false }
            try #require(Self.arePolicies(bytes), "input \(number): \(bytes)")
            return true
        }
    }

    /// Whether those are policies with the two qualifiers that are for people, by another reader.
    private static func arePolicies(_ bytes: [UInt8]) -> Bool {
        guard let whole = elements(bytes[...]), whole.count == 1, whole[0].tag == 0x30,
            let policies = elements(whole[0].content)
        else { return false }
        return policies.allSatisfy { policy in
            guard policy.tag == 0x30, let parts = elements(policy.content), (1...2).contains(parts.count),
                parts[0].tag == 0x06
            else { return false }
            guard parts.count == 2 else { return true }
            guard parts[1].tag == 0x30, let qualifiers = elements(parts[1].content) else { return false }
            return qualifiers.allSatisfy { qualifier in
                guard qualifier.tag == 0x30, let pair = elements(qualifier.content), pair.count == 2 else {
                    return false
                }
                let readable: [[UInt8]] = [1, 2].map { [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x02, $0] }
                return pair[0].tag == 0x06 && readable.contains(Array(pair[0].content))
            }
        }
    }

    @Test func `a nonce of Apple's is the whole of its extension`() async throws {
        let corpus = [0, 1, 32, 200].map { Self.nonce(Array(repeating: 7, count: $0)) }
        try await fuzz(corpus, 73) { bytes, number in
            guard let nonce = AppleFormat.nonce(bytes[...]) else { return false }
            try #require(Self.nonce(nonce) == bytes, "input \(number): \(bytes)")
            return true
        }
    }

    /// SEQUENCE { [1] EXPLICIT OCTET STRING }.
    private static func nonce(_ bytes: [UInt8]) -> [UInt8] { element(0x30, element(0xA1, element(0x04, bytes))) }
}

extension TrustFuzzTests {
    /// One element of DER, of a tag below 31 (X.690 §8.1).
    private struct Element {
        let tag: UInt8
        let content: ArraySlice<UInt8>
    }

    /// In the shortest form (X.690 §10.1).
    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        if content.count < 128 { return [tag, UInt8(content.count)] + content }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    /// Those that stand in a row there, whichever form their lengths have; `nil` where something else does.
    private static func elements(_ bytes: ArraySlice<UInt8>) -> [Element]? {
        var found: [Element] = []
        var rest = bytes
        while let tag = rest.popFirst() {
            guard let first = rest.popFirst() else { return nil }
            var length = Int(first)
            if first >= 0x80 {
                guard (1...4).contains(first & 0x7F) else { return nil }
                length = 0
                for _ in 0..<(first & 0x7F) {
                    guard let byte = rest.popFirst() else { return nil }
                    length = length << 8 | Int(byte)
                }
            }
            guard length <= rest.count else { return nil }
            found.append(Element(tag: tag, content: rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return found
    }
}
