import Kernel
import Testing

struct QueryTextTests {
    @Test(arguments: [
        ("https://a.example.com/x", "https://a.example.com/x?s=1&t=%26%3D"),
        ("https://a.example.com/x?", "https://a.example.com/x?s=1&t=%26%3D"),
        ("https://a.example.com/x?k=v", "https://a.example.com/x?k=v&s=1&t=%26%3D"),
        ("https://a.example.com/x?k=v&", "https://a.example.com/x?k=v&s=1&t=%26%3D"),
        // The address stays byte for byte: it may have been compared byte by byte.
        ("app.scheme:/x?k=%7E%2f+~", "app.scheme:/x?k=%7E%2f+~&s=1&t=%26%3D"),
    ])
    func `parameters follow what an address has of a query`(_ address: String, _ expected: String) {
        #expect(QueryText.add([("s", "1"), ("t", "&=")], to: address) == expected)
    }

    @Test func `neither a name nor a value gets out of its place`() {
        #expect(QueryText.text([("a&b", "c=d&e"), ("f", "")]) == "a%26b=c%3Dd%26e&f=")
        #expect(QueryText.text([]) == "")
    }

    @Test func `parameters are taken apart by bytes`() {
        let pairs = QueryText.pairs("a=b=c&&d&=e&f=\u{301}&\u{301}=g")
        #expect(pairs.map(\.name) == ["a", "d", "", "f", "\u{301}"])
        #expect(pairs.map(\.value) == ["b=c", "", "e", "\u{301}", "g"])
    }

    /// WHATWG URL §1.3: an escape is two hexadecimal digits, and a sign is none.
    @Test(arguments: [
        ("a+b", "a b"), ("%2B%2b", "++"), ("%C3%A5", "å"), ("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("%+f", "% f"),
        ("%-1", "%-1"), ("%%41", "%A"),
    ])
    func `a percent sign without two hexadecimal digits stands for itself`(_ text: String, _ expected: String) {
        #expect(QueryText.decode(Substring(text)) == expected)
    }
}
