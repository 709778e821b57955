import Foundation
import Kernel
import Testing
import TokenReading

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
    func `Codable and the parser read back the writer's values unchanged`(text: String) throws {
        for number in [0, 7, -1, 1_800_000_000, Int64.max, Int64.min] {
            var json = JSONWriter()
            json.object { object in
                object.member("text", string: text)
                object.member("number", integer: number)
                object.member("list", strings: [text, "second"])
            }
            let decoded = try JSONDecoder().decode(Sample.self, from: Data(json.bytes))
            #expect(decoded == Sample(text: text, number: number, list: [text, "second"]))
            let parsed = try JSONReader.read(json.bytes)
            #expect(
                parsed
                    == .object([
                        "text": .string(text), "number": .number(String(number)),
                        "list": .array([.string(text), .string("second")]),
                    ])
            )
        }
    }

    @Test(arguments: ["\"", "\\", "\u{1F}", "\u{0}"])
    func `a character to escape is found at every place of a long text`(_ character: String) throws {
        for place in 0..<50 {
            let text = String(repeating: "a", count: place) + character + String(repeating: "b", count: 49 - place)
            var json = JSONWriter()
            json.object { $0.member("text", string: text) }
            #expect(try JSONReader.read(json.bytes) == .object(["text": .string(text)]))
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

    @Test(arguments: [
        #"{"n":1.5}"#, #"{"n":1e3}"#, #"{"n":9223372036854775808}"#, #"{"n":"1"}"#, #"{"n":null}"#, #"{"n":1,"n":1}"#,
        #"{"n":1,"x":[[[[[[[[1]]]]]]]]}"#, "[1]", "null", "",
    ])
    func `attack: a claim of another JSON type is refused`(_ payload: String) {
        #expect(throws: TokenError.claims) { try ClaimReader(Array(payload.utf8)).integer("n") }
    }
}
