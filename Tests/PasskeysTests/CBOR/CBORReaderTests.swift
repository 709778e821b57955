import Testing

@testable import Passkeys

struct CBORReaderTests {
    private func fault(_ bytes: [UInt8]) -> CBORError? {
        do throws(CBORError) {
            _ = try CBORReader.read(bytes)
            return nil
        } catch { return error }
    }

    /// From RFC 8949 appendix A.
    private static let examples: [(String, CBORValue)] = [
        ("00", .unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("1903e8", .unsigned(1000)),
        ("1a000f4240", .unsigned(1_000_000)), ("1b000000e8d4a51000", .unsigned(1_000_000_000_000)),
        ("1bffffffffffffffff", .unsigned(.max)), ("20", .negative(0)), ("3903e7", .negative(999)),
        ("3bffffffffffffffff", .negative(.max)), ("f4", .bool(false)), ("f5", .bool(true)), ("f6", .null),
        ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])), ("60", .text("")), ("6449455446", .text("IETF")),
        ("62c3bc", .text("ü")), ("64f0908591", .text("𐅑")), ("80", .array([])),
        ("83010203", .array([.unsigned(1), .unsigned(2), .unsigned(3)])), ("a0", .map(CBORMap())),
        ("a201020304", .map(CBORMap([(.unsigned(1), .unsigned(2)), (.unsigned(3), .unsigned(4))]))),
        (
            "a26161016162820203",
            .map(CBORMap([(.text("a"), .unsigned(1)), (.text("b"), .array([.unsigned(2), .unsigned(3)]))]))
        ),
    ]

    @Test(arguments: examples)
    func `the examples of the RFC are read, and written again as they were`(_ text: String, _ value: CBORValue) throws {
        let bytes = try #require([UInt8](hex: text))
        let read = try CBORReader.read(bytes)
        #expect(read == value)
        #expect(CBORWriter.bytes(read) == bytes)
    }

    private static let refused: [(String, CBORError)] = [
        ("", .truncated), ("18", .truncated), ("19ff", .truncated), ("4401", .truncated), ("6261", .truncated),
        ("8201", .truncated), ("a101", .truncated), ("5bffffffffffffffff", .truncated), ("9affffffff", .truncated),
        ("baffffffff", .truncated), ("a20102", .truncated),
        ("0000", .trailingBytes), ("a000", .trailingBytes),
        ("1817", .notShortest), ("190018", .notShortest), ("1a0000ffff", .notShortest),
        ("1b00000000ffffffff", .notShortest), ("580101", .notShortest), ("3817", .notShortest),
        ("780161", .notShortest), ("980101", .notShortest), ("b8010101", .notShortest),
        ("5f4101ff", .indefiniteLength), ("7f6161ff", .indefiniteLength), ("9f01ff", .indefiniteLength),
        ("bf0101ff", .indefiniteLength), ("1f", .indefiniteLength), ("ff", .unsupported),
        ("a201020103", .duplicateKey), ("a2616101616102", .duplicateKey), ("a203040102", .keyOrder),
        ("a2626161016162" + "02", .keyOrder), ("a220010102", .keyOrder), ("a261610101" + "02", .keyOrder),
        ("a1410101", .keyType), ("a1800101", .keyType), ("a1f501", .keyType), ("a1a00101", .keyType),
        ("61ff", .invalidText), ("62c328", .invalidText), ("63eda080", .invalidText),
        ("c074323031332d30332d32315432303a30343a30305a", .unsupported), ("f93c00", .unsupported),
        ("fa47c35000", .unsupported), ("fb3ff199999999999a", .unsupported), ("f7", .unsupported),
        ("f0", .unsupported), ("f818", .unsupported), ("1c", .unsupported), ("5c", .unsupported),
    ]

    // T-131
    @Test(arguments: refused)
    func `a form that is not canonical is refused, with the reason`(_ text: String, _ expected: CBORError) throws {
        #expect(fault(try #require([UInt8](hex: text))) == expected)
    }

    @Test(arguments: [
        "a203040102", "a2626161016162" + "02", "a220010102", "a2616101" + "0102", "a3" + "616301" + "616101" + "616201",
    ])
    func `in any order the keys are read as they came`(_ text: String) throws {
        let bytes = try #require([UInt8](hex: text))
        #expect(throws: CBORError.keyOrder) { try CBORReader.read(bytes) }
        let read = try CBORReader.read(bytes, keys: .any)
        #expect(CBORWriter.bytes(read) == bytes)
    }

    // T-131
    @Test func `attack: a repeated map key is refused also where keys may come in any order`() throws {
        for text in [
            "a201020103", "a2616101616102", "a3" + "0102" + "0304" + "0105",
            "a3" + "616101" + "616202" + "616103", "a4" + "2001" + "0102" + "616103" + "2004",
            // One level below.
            "a101" + "a3" + "0102" + "0304" + "0105", "81" + "a3" + "0102" + "0304" + "0105",
        ] {
            let bytes = try #require([UInt8](hex: text))
            #expect(throws: CBORError.duplicateKey, "\(text)") { try CBORReader.read(bytes, keys: .any) }
        }
    }

    // T-131
    @Test(arguments: refused.filter { $0.1 != .keyOrder })
    func `attack: with keys in any order, other malformed CBOR is still refused`(
        _ text: String,
        _ expected: CBORError
    ) throws {
        let bytes = try #require([UInt8](hex: text))
        #expect(throws: expected) { try CBORReader.read(bytes, keys: .any) }
    }

    @Test func `four levels are read, and none more`() throws {
        #expect(fault([0x81, 0x81, 0x81, 0x81, 0x00]) == nil)
        #expect(fault([0x81, 0x81, 0x81, 0x81, 0x80]) == .tooDeep)
        #expect(fault([0xA1, 0x01, 0xA1, 0x01, 0xA1, 0x01, 0xA1, 0x01, 0xA0]) == .tooDeep)
        #expect(fault(Array(repeating: 0x81, count: 60_000)) == .tooDeep)
    }

    // T-229
    @Test func `attack: a CBOR count beyond the input is refused as truncated`() {
        // Four billion entries in five bytes.
        #expect(fault([0xBA, 0xFF, 0xFF, 0xFF, 0xFF]) == .truncated)
        #expect(fault([0x9B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00]) == .truncated)
        #expect(fault(Array(repeating: 0, count: CBORReader.maximumLength + 1)) == .tooLong)
    }

    @Test func `numbers have a sign, and are told only where they fit`() {
        #expect(CBORValue.negative(6).integer == -7)
        #expect(CBORValue.unsigned(UInt64(Int64.max)).integer == .max)
        #expect(CBORValue.unsigned(UInt64(Int64.max) + 1).integer == nil)
        #expect(CBORValue.negative(UInt64(Int64.max)).integer == .min)
        #expect(CBORValue.negative(.max).integer == nil)
        #expect(CBORValue.bool(true).integer == nil && CBORValue.null.textString == nil)
    }
}
