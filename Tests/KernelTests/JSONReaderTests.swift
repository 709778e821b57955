import Kernel
import Testing

struct JSONReaderTests {
    private func read(_ text: String) -> JSONValue? { try? JSONReader.read(Array(text.utf8)) }

    @Test func `values keep what was written`() {
        #expect(
            read(#" {"a":[1,-2.50,"x\né😀",true,false,null,{}]} "#)
                == .object([
                    "a": .array([
                        .number("1"), .number("-2.50"), .string("x\né😀"), .bool(true), .bool(false), .null,
                        .object([:]),
                    ])
                ])
        )
        #expect(read(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\udc69""#) == .string("\"\\/\u{8}\u{C}\n\r\t\u{E9}\u{1F469}"))
        #expect(read("1e400") == .number("1e400"))
    }

    @Test func `a number is a whole one only when it is written as one`() {
        let texts = ["0", "-0", "-7", "9223372036854775807", "9223372036854775808", "1.0", "1e3", #""1""#]
        #expect(texts.map { read($0)?.integer } == [0, 0, -7, Int64.max, nil, nil, nil, nil])
        #expect(read("1e400")?.number == nil)
        #expect(read("2.5")?.number == 2.5)
    }

    @Test(arguments: [
        "", " ", "{", "[1", "[1,]", "[}", "{}x", "{}{}", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{a:1}",
        "{'a':1}", "01", "+1", "1.", ".5", "1e", "1e+", "-", "nul", "tru", "NaN", "'a'", "\"", "\"\\x\"", "\"\\u12\"",
        "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"a\u{1}b\"", "\"\n\"", "1 2", "{} []", "\u{FEFF}1",
    ])
    func `a text other than JSON is refused`(_ text: String) { #expect(read(text) == nil) }

    // T-052
    @Test(arguments: [
        #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"{"b":{"a":1,"a":2}}"#,
        #"{"status":"declined","st\u0061tus":"approved"}"#,
    ])
    func `attack: a member named twice is refused, also when one name is escaped`(_ text: String) {
        #expect(read(text) == nil)
    }

    // T-052
    @Test(arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]] as [[UInt8]])
    func `attack: invalid UTF-8 is refused`(_ bytes: [UInt8]) {
        #expect(throws: MalformedJSONError.self) { try JSONReader.read([0x22] + bytes + [0x22]) }
    }

    @Test(arguments: [1, 8, 32]) func `attack: JSON nesting over 32 levels, or over the caller's limit, is refused`(
        _ depth: Int
    ) {
        let nested = { (depth: Int) in
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(throws: Never.self) { try JSONReader.read(nested(depth), maximumDepth: depth) }
        #expect(throws: MalformedJSONError.self) { try JSONReader.read(nested(depth + 1), maximumDepth: depth) }
        #expect(throws: MalformedJSONError.self) { try JSONReader.read(Array(repeating: 0x5B, count: 100_000)) }
        #expect(JSONReader.maximumDepth == 32)
    }
}
