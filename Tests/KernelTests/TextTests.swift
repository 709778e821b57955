import Testing

@testable import Kernel

struct HexTests {
    @Test(arguments: [([], ""), ([0, 0xF, 0xA0, 0xFF], "000fa0ff")] as [([UInt8], String)])
    func `bytes are written in lower case and read back`(bytes: [UInt8], text: String) {
        #expect(Hex.encode(bytes) == text)
        #expect(Hex.decode(text) == bytes && Hex.decode(text.uppercased()) == bytes)
    }

    @Test(arguments: ["0", "0g", "0x00", "+1", " 1", "００"])
    func `other text is refused`(text: String) { #expect(Hex.decode(text) == nil) }
}

struct TrimmingTests {
    @Test(arguments: [("", ""), (" \t\n", ""), ("\u{2003} Ada Byron\r\n", "Ada Byron"), ("a", "a")])
    func `white space around a text is removed, and none within`(text: String, trimmed: String) {
        #expect(text.trimmed == trimmed)
    }

    @Test func `blanks are spaces and tabs alone`() {
        #expect(" \tgzip;q=1 \t".trimmedOfBlanks == "gzip;q=1")
        #expect("\ngzip\u{A0}".trimmedOfBlanks == "\ngzip\u{A0}")
        #expect([3, 3, 1, 3, 2, 3].trimming { $0 == 3 } == [1, 3, 2])
    }
}

struct JSONTextTests {
    @Test func `equal values have equal texts, whatever the order of their members`() throws {
        let first = try JSONReader.read(Array(#"{"b":[1.50,true,null],"a":{"d":"x","c":-0}}"#.utf8))
        let second = try JSONReader.read(Array(#"{ "a": {"c":-0, "d":"x"}, "b": [1.50, true, null] }"#.utf8))
        #expect(first.text == #"{"a":{"c":-0,"d":"x"},"b":[1.50,true,null]}"#)
        #expect(first.text == second.text)
    }

    @Test func `a character that could end a string or a line is escaped, and read back`() throws {
        let text = "\"\\\u{0}\n\u{1F}\u{7F}\u{2028}\u{2029}é😀"
        let quoted = JSONValue.quoted(text)
        #expect(quoted == #""\"\\\u0000\u000a\u001f\u007f\u2028\u2029é😀""#)
        #expect(try JSONReader.read(Array("[\(quoted)]".utf8)) == .array([.string(text)]))
    }
}
