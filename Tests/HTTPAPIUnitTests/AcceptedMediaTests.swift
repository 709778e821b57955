import HTTPTypes
import Hummingbird
import MemoryStore
import Testing

@testable import HTTPAPI

/// The form of an error that a request asks for.
struct AcceptedMediaTests {
    /// What browsers and libraries send.
    private static let known: [(String, Bool)] = [
        ("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8", true),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true),
        ("*/*", false), ("application/json", false), ("application/json, text/plain, */*", false),
        ("application/json, text/javascript, */*; q=0.01", false), ("text/event-stream", false),
        ("image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", false),
    ]

    private static let crafted: [(String, Bool)] = [
        ("", false), (",,;;q=,", false), ("text/html", true), ("TEXT/HTML", true), ("text/*", true),
        ("text/html;q=0", false), ("text/html;q=0, */*", false), ("text/html;q=0.5, application/json", false),
        ("text/html, application/json", false), ("text/html, application/json;q=0.999", true),
        ("text/html;q=0.001", true), ("text/html;q=0.0009", false), ("text/html;q=1.001", false),
        ("text/html;q=2, application/json;q=0.1", false), ("text/html;q=-1", false), ("text/html;q=nan", false),
        ("text/html;q=1.", true), ("text/html;q=0.", false), ("text/html; Q=0.7 , application/json ; q=0.6", true),
        ("text/html;q", false), ("text/html;level=1", false), ("text/html;level=1, */*;q=0.2", false),
        ("text/html;q=0.4, text/*;q=0.9, application/json;q=0.5", false),
        ("*/*, application/json;q=0.1", true), ("*/html", false), ("text/ html", false), ("text/html/x", false),
        ("text", false), ("text/", false), ("/html", false), ("*", false), ("t\u{e9}xt/html", false),
        ("application/xhtml+xml, application/xml;q=0.9", false), ("text/html;q=0.1, text/html;q=0.9, */*;q=0.5", true),
        ("text/html;;q=0.2, application/json;q=0.1", true), ("text/html\u{0}", false),
    ]

    @Test(arguments: known + crafted)
    func `HTML is preferred only where a range for it weighs more than JSON's`(_ header: String, _ expected: Bool) {
        #expect(AcceptedMedia([header]).prefersHTML == expected)
    }

    @Test func `the lines of a header count together, and none at all is JSON`() {
        #expect(AcceptedMedia([]).prefersHTML == false)
        #expect(AcceptedMedia(["application/json;q=0.2", "text/html;q=0.3"]).prefersHTML)
        #expect(!AcceptedMedia(["text/html;q=0.3", "application/json"]).prefersHTML)
    }

    @Test func `attack: an Accept with 100,000 ranges is not read to its end`() {
        let header = String(repeating: "a/b,", count: 100_000) + "text/html"
        #expect(!AcceptedMedia([header]).prefersHTML, "what stands far behind is not read")
        let long = "text/" + String(repeating: "h", count: 1_000_000)
        #expect(AcceptedMedia([long]).weight(of: "text", "html") == 0)
    }

    @Test func `attack: no header crashes, and no weight leaves its bounds`() {
        var random = SplitMix(seed: 7)
        let pieces = [
            "text", "/", "html", "*", ";", "q", "=", "0", "1", ".", "999", ",", " ", "\t", "\"", "application/json",
            "text/html", "\u{0}", "\u{e9}", "-", "q=0.5", "Q=1.000",
        ]
        for _ in 0..<20_000 {
            let header = (0..<random.next(below: 24)).map { _ in pieces[random.next(below: pieces.count)] }.joined()
            let media = AcceptedMedia([header])
            for (type, subtype) in [("text", "html"), ("application", "json"), ("image", "png")] {
                #expect((0...1000).contains(media.weight(of: type, subtype)), "\(header)")
            }
            let shown = media.prefersHTML
            #expect(shown == AcceptedMedia([header]).prefersHTML)
            if !header.lowercased().contains("text/") && !header.contains("*/*") { #expect(!shown, "\(header)") }
        }
    }

    /// Numbers that are the same in every run.
    private struct SplitMix {
        var state: UInt64

        init(seed: UInt64) { state = seed }

        mutating func next(below bound: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((value ^ (value >> 31)) % UInt64(bound))
        }
    }
}
