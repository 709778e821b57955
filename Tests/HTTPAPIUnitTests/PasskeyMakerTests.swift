import Passkeys
import Testing
import Web

@testable import HTTPAPI

/// The names of passkeys' makers.
struct PasskeyMakerTests {
    @Test(arguments: [
        ("ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4", "Google Password Manager"),
        ("fbfc3007-154e-4ecc-8c0b-6e020557d7bd", "iCloud Keychain"),
        ("2fc0579f-8113-47ea-b116-bb5a8db9202a", "YubiKey 5 NFC"),
        ("08987058-cadc-4b81-b6e1-30de50dcbe96", "Windows Hello"),
    ])
    func `a known model goes by its maker's name`(_ text: String, _ name: String) throws {
        #expect(PasskeyMakers.name(try Self.aaguid(text)) == name)
    }

    @Test(arguments: ["00000000-0000-0000-0000-000000000000", "01020304-0506-0708-090a-0b0c0d0e0f10"])
    func `a model that is not named or not known has no maker`(_ text: String) throws {
        #expect(PasskeyMakers.name(try Self.aaguid(text)) == nil)
        #expect(PasskeyMakers.kind(try Self.aaguid(text)) == nil)
    }

    @Test(arguments: [
        ("d3452668-01fd-4c12-926c-83a4204853aa", PasskeyMakers.Kind.manager),
        ("de1e552d-db1d-4423-a619-566b625cdc84", .phone), ("08987058-cadc-4b81-b6e1-30de50dcbe96", .computer),
        ("2fc0579f-8113-47ea-b116-bb5a8db9202a", .securityKey),
    ])
    func `a known model has the pictogram of its kind`(_ text: String, _ kind: PasskeyMakers.Kind) throws {
        #expect(PasskeyMakers.kind(try Self.aaguid(text)) == kind)
    }

    @Test func `each kind has a drawing and words of its own, in every language`() {
        #expect(Set(PasskeyMakers.Kind.allCases.map(\.outline)).count == PasskeyMakers.Kind.allCases.count)
        for texts in Languages.builtIn.all {
            let words = PasskeyMakers.Kind.allCases.map { texts[$0.label] }
            #expect(Set(words).count == words.count && words.allSatisfy { !$0.hasPrefix("kind") })
        }
        for kind in PasskeyMakers.Kind.allCases {
            #expect(kind.outline.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-. ".contains($0)) })
        }
    }

    private static func aaguid(_ text: String) throws -> AAGUID {
        let digits = Array(text.filter { $0 != "-" })
        let bytes = try stride(from: 0, to: digits.count, by: 2).map { index in
            try #require(UInt8(String(digits[index...(index + 1)]), radix: 16))
        }
        return try #require(AAGUID(bytes))
    }
}
