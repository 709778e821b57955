import Fuzzing
import Testing

@testable import OAuth

/// Tests reading an upstream's XML.
struct XMLReaderTests {
    private static func read(_ text: String) throws(XMLError) -> XMLElement { try XMLReader.read(Array(text.utf8)) }

    private static func value(_ path: String, in text: String) throws -> String? {
        try #require(XMLPath(path)).value(in: try read(text))
    }

    private static let answer = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <!-- of the directory -->
        <scim:PersonalInformation xmlns:scim="urn:example:person" id='p-7'>
          <scim:BPId> 4711 </scim:BPId>
          <scim:Name first="Zo&#xEB;">Zo&#235; &amp; <![CDATA[<Co>]]></scim:Name>
          <scim:Phone>1</scim:Phone><scim:Phone>2</scim:Phone>
          <scim:Empty/>
        </scim:PersonalInformation>

        """

    @Test(arguments: [
        ("/PersonalInformation/BPId", "4711"),
        ("/scim:PersonalInformation/scim:BPId", "4711"),
        ("/PersonalInformation/@id", "p-7"),
        ("/PersonalInformation/Name", "Zoë & <Co>"),
        ("/PersonalInformation/Name/@first", "Zoë"),
        ("/PersonalInformation/Empty", ""),
    ])
    func `a path finds the one value that stands there`(path: String, value: String) throws {
        #expect(try Self.value(path, in: Self.answer) == value)
    }

    @Test(arguments: [
        "/BPId", "/PersonalInformation", "/PersonalInformation/Phone", "/PersonalInformation/bpid",
        "/other:PersonalInformation/BPId", "/PersonalInformation/@ID", "/PersonalInformation/BPId/Deeper",
    ])
    func `a missing or ambiguous element has no value`(path: String) throws {
        #expect(try Self.value(path, in: Self.answer) == nil)
    }

    @Test(arguments: [
        "", "/", "BPId", "/a//b", "/a/", "//a", "/a/@b/c", "/@id", "/a/b[1]", "/a/*", "/a/..", "/a:b:c", "/a/text()",
        "/9a",
        "/a/:b", "/a b",
    ])
    func `an invalid path is refused`(path: String) { #expect(XMLPath(path) == nil) }

    // T-198
    @Test(arguments: [
        // Entities, the way to grow and to read files.
        (#"<!DOCTYPE a [<!ENTITY b "x">]><a>&b;</a>"#, XMLError.documentType),
        (#"<!DOCTYPE a SYSTEM "http://example.com/a.dtd"><a/>"#, .documentType),
        (#"<?xml version="1.0"?><!DOCTYPE a><a/>"#, .documentType),
        ("<a>&b;</a>", .malformed), ("<a>&;</a>", .malformed), ("<a>&#0;</a>", .malformed),
        ("<a>&#xD800;</a>", .malformed),
        ("<a>&#-1;</a>", .malformed), ("<a>&#+65;</a>", .malformed), ("<a>&#;</a>", .malformed),
        ("<a>& b</a>", .malformed),
        ("<a>&#99999999999999;</a>", .malformed), ("<a b='&c;'/>", .malformed),
        // Constructs that run code or fetch files elsewhere.
        (#"<?xml-stylesheet href="http://example.com/x"?><a/>"#, .instruction), ("<a><?php x?></a>", .instruction),
        // Another encoding.
        (#"<?xml version="1.0" encoding="ISO-8859-1"?><a/>"#, .encoding),
        // Two documents, none, or one that is not closed.
        ("", .malformed), ("  ", .malformed), ("text", .malformed), ("<a/><b/>", .malformed), ("<a/>text", .malformed),
        ("<a>", .malformed), ("<a></b>", .malformed), ("<a></a></a>", .malformed), ("</a>", .malformed),
        ("<a", .malformed),
        ("<a/>&amp;", .malformed), ("<a/><![CDATA[]]>", .malformed), ("<a><b></a></b>", .malformed),
        // Attributes.
        (#"<a b="1" b="2"/>"#, .malformed), ("<a b=1/>", .malformed), ("<a b/>", .malformed),
        (#"<a b="<"/>"#, .malformed),
        (#"<a b="1/>"#, .malformed), (#"<a b='1"/>"#, .malformed),
        // Names, comments and characters.
        ("<1a/>", .malformed), ("< a/>", .malformed), ("<a:b:c/>", .malformed), ("<a:/>", .malformed),
        ("<a><!-- -- --></a>", .malformed), ("<a><!-- </a>", .malformed), ("<a><![CDATA[</a>", .malformed),
        ("<a>]]></a>", .malformed), ("<a>\u{1}</a>", .malformed), ("<a>\u{FFFE}</a>", .malformed),
        ("<!ELEMENT a>", .malformed), (#" <?xml version="1.0"?><a/>"#, .instruction),
        (#"<?xml version="1.1"?><a/>"#, .malformed),
    ])
    func `anything but plain XML is refused`(text: String, fault: XMLError) {
        #expect(throws: fault) { try Self.read(text) }
    }

    // T-198
    @Test func `other encodings than UTF-8 are refused`() {
        let utf16: [UInt8] = [0xFF, 0xFE, 0x3C, 0x00, 0x61, 0x00, 0x2F, 0x00, 0x3E, 0x00]
        #expect(throws: XMLError.encoding) { try XMLReader.read(utf16) }
        #expect(throws: XMLError.encoding) {
            try XMLReader.read(Array("<a>".utf8) + [0xC0, 0x80] + Array("</a>".utf8))
        }
    }

    @Test func `a byte order mark is not part of the document`() throws {
        #expect(try Self.read("\u{FEFF}<a>1</a>").text == "1")
    }

    // T-198
    @Test func `each XML limit allows its value and refuses the next`() throws {
        var limits = XMLLimits()
        (limits.bytes, limits.depth, limits.elements, limits.attributes, limits.name) = (64, 3, 4, 2, 5)
        func read(_ text: String) throws(XMLError) { _ = try XMLReader.read(Array(text.utf8), limits) }
        try read("<a><b><c/></b></a>")
        #expect(throws: XMLError.tooDeep) { try read("<a><b><c><d/></c></b></a>") }
        try read("<a><b/><b/><b/></a>")
        #expect(throws: XMLError.tooLarge) { try read("<a><b/><b/><b/><b/></a>") }
        try read("<a b='' c=''/>")
        #expect(throws: XMLError.tooLarge) { try read("<a b='' c='' d=''/>") }
        try read("<abcde/>")
        #expect(throws: XMLError.tooLarge) { try read("<abcdef/>") }
        try read("<a>" + String(repeating: "x", count: 57) + "</a>")
        #expect(throws: XMLError.tooLarge) { try read("<a>" + String(repeating: "x", count: 58) + "</a>") }
    }

    // T-198
    @Test func `a hundred thousand elements within one another are refused at once`() {
        var limits = XMLLimits()
        limits.bytes = .max
        let text = String(repeating: "<a>", count: 100_000)
        #expect(throws: XMLError.tooDeep) { try XMLReader.read(Array(text.utf8), limits) }
    }

    // T-198
    @Test(.timeLimit(.minutes(10))) func `any input is read within the limits or refused`() throws {
        let tokens = [
            "<", ">", "/>", "</", "<!--", "-->", "<![CDATA[", "]]>", "<!DOCTYPE a>", "<?xml version=\"1.0\"?>", "&amp;",
            "&#x41;",
            "&#0;", "&", ";", "\"", "'", "=", ":", "\u{0}", "\u{FEFF}", "ë", "a", "BPId", " ", "]]",
        ]
        let path = try #require(XMLPath("/PersonalInformation/BPId"))
        let random = Mutator(seed: FuzzRun.seed &+ 40, tokens: tokens)
        var (readable, found) = (0, 0)
        let numbers = FuzzRun.numbers(FuzzRun.dearInputs(oneIn: 5))
        for number in numbers {
            var own = random.forInput(number)
            var bytes = Array(Self.answer.utf8)
            own.mutate(&bytes)
            guard let root = try? XMLReader.read(bytes) else { continue }
            readable += 1
            let text = String(decoding: bytes, as: UTF8.self)
            try #require(!text.contains("<!DOCTYPE a>") || text.contains("<!--") || text.contains("<![CDATA["))
            if path.value(in: root) != nil { found += 1 }
        }
        #expect(readable > 0 && readable < numbers.count)
        #expect(found > 0)
    }
}
