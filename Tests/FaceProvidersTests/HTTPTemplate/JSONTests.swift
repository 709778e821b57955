import Kernel
import Testing

@testable import FaceProviders

struct JSONTests {
    private func read(_ text: String) -> JSONValue? { try? JSONReader.read(Array(text.utf8)) }

    @Test func `words are texts, whole numbers and truth values`() {
        let words = [#""a""#, "42", "-7", "true", "false", "1.0", "1e3", "null", "[]", "{}"].map { read($0)?.word }
        #expect(words == ["a", "42", "-7", "true", "false", nil, nil, nil, nil, nil])
        let ids = [#""a""#, "42", #""""#, "true", "4.2", #""\#(String(repeating: "x", count: 257))""#]
        #expect(ids.map { read($0)?.identifier } == ["a", "42", nil, nil, nil, nil])
    }

    /// RFC 6901 §5.
    @Test(arguments: [
        ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"), ("/e^f", "3"),
        ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"),
    ])
    func `a pointer finds what RFC 6901 says`(pointer: String, value: String) {
        let document = read(
            #"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#
        )
        #expect(document.flatMap { JSONPointer(pointer)?.value(in: $0) } == read(value))
    }

    @Test(arguments: ["/foo/2", "/foo/-", "/foo/00", "/foo/+1", "/foo/bar/x", "/bar"])
    func `and nothing where there is nothing`(_ pointer: String) {
        let document = read(#"{"foo":["a","b"]}"#)
        #expect(document.flatMap { JSONPointer(pointer)?.value(in: $0) } == nil)
        #expect(JSONPointer(pointer) != nil)
    }

    @Test func `a text other than a pointer is not read as one`() {
        for text in ["a", "a/b", "/~", "/~2", "/a~"] { #expect(JSONPointer(text) == nil, "\(text)") }
        #expect(JSONPointer(String(repeating: "/a", count: 33)) == nil)
        #expect(JSONPointer("/" + String(repeating: "a", count: 512)) == nil)
        #expect(JSONPointer("")?.value(in: .null) == .null)
    }
}
