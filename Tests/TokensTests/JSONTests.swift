import Foundation
import Testing

@testable import Tokens

struct JSONTests {
    private struct Sample: Codable, Equatable {
        var text: String
        var number: Int64
        var list: [String]
    }

    @Test(arguments: [
        "plain", "", "quote \" backslash \\ slash /", "\u{0}\u{1}\u{8}\u{9}\u{A}\u{C}\u{D}\u{1F}\u{7F}",
        "Zoë 東京 👩‍🔬 \u{2028}", "\\u0041", "</script>",
    ])
    func `what the writer writes, Codable and the parser read as it was`(text: String) throws {
        for number in [0, 7, -1, 1_800_000_000, Int64.max, Int64.min] {
            var json = JSONWriter()
            json.object { object in
                object.member("text", string: text)
                object.member("number", integer: number)
                object.member("list", strings: [text, "second"])
            }
            let decoded = try JSONDecoder().decode(Sample.self, from: Data(json.bytes))
            #expect(decoded == Sample(text: text, number: number, list: [text, "second"]))
            let parsed = try StrictJSONParser.object(json.bytes)
            #expect(
                parsed == [
                    "text": .string(text), "number": .integer(number),
                    "list": .array([.string(text), .string("second")]),
                ]
            )
        }
    }

    @Test func `empty and nested containers get their commas right`() {
        var json = JSONWriter()
        json.object { object in
            object.member("none", strings: [])
            object.member("objects") { array in
                array.object { _ in }
                array.object { $0.member("a", integer: 1) }
            }
            object.member("last", string: "x")
        }
        #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"none":[],"objects":[{},{"a":1}],"last":"x"}"#)
    }

    @Test(
        arguments: [
            (
                #" { "a" : [ 1 , -2 , true , false , null , { } ] } "#,
                ["a": .array([.integer(1), .integer(-2), .bool(true), .bool(false), .null, .object([:])])]
            ),
            (
                #"{"a":1.5,"b":1e3,"c":9223372036854775808,"d":-0}"#,
                ["a": .otherNumber, "b": .otherNumber, "c": .otherNumber, "d": .integer(0)]
            ),
            (#"{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83d\udc69"}"#, ["a": .string("\"\\/\u{8}\u{C}\n\r\t\u{E9}\u{1F469}")]),
        ] as [(String, [String: JSONValue])]
    )
    func `the parser reads what RFC 8259 allows`(text: String, expected: [String: JSONValue]) throws {
        #expect(try StrictJSONParser.object(Array(text.utf8)) == expected)
    }

    @Test(arguments: [
        "", "null", "[]", "{", "{}x", "{}{}", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{a:1}"#, #"{"a":01}"#,
        #"{"a":1.}"#, #"{"a":.5}"#, #"{"a":+1}"#, #"{"a":1e}"#, #"{"a":-}"#, #"{"a":tru}"#, #"{"a":NaN}"#,
        #"{"a":"x}"#, #"{"a":"\x"}"#, #"{"a":"\u12"}"#, #"{"a":"\ud800"}"#, #"{"a":"\udc00"}"#,
        #"{"a":"\ud800\u0041"}"#, "{\"a\":\"\n\"}", #"{"a":[1,]}"#, #"{"a":[}"#, #"{'a':1}"#,
        #"{"a":[[[[[[[[1]]]]]]]]}"#,
    ])
    func `the parser refuses what is no JSON object`(text: String) {
        #expect(throws: MalformedJSON.self) { try StrictJSONParser.object(Array(text.utf8)) }
    }

    @Test(arguments: [#"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"{"b":{"a":1,"a":2}}"#])
    func `a member named twice is refused, also when one name is escaped`(text: String) {
        #expect(throws: MalformedJSON.self) { try StrictJSONParser.object(Array(text.utf8)) }
    }

    @Test(arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]] as [[UInt8]])
    func `invalid UTF-8 is refused`(bytes: [UInt8]) {
        #expect(throws: MalformedJSON.self) {
            try StrictJSONParser.object(Array(#"{"a":""#.utf8) + bytes + Array(#""}"#.utf8))
        }
    }
}
