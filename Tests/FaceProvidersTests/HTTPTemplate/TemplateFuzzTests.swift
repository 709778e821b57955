import Fuzzing
import Kernel
import Operations
import Outbound
import Testing

@testable import FaceProviders

/// A seeded mutator against the engine of `kind: http`: JSON, pointers, templates, and what an answer amounts to.
struct TemplateFuzzTests {
    private static let tokens = [
        "{{", "}}", "{{account}}", "{{deadlineSeconds}}", "{{secret.a}}", "{", "}", "[", "]", "\"", ":", ",", "\\u0000",
        "\\ud800", "\\", "null", "true", "1e999", "-0", "/", "~0", "~1", "~", "\u{0}", "\u{feff}", "é", "\r\n", "%2e",
        "..",
        "status", "approved", "scan-1", "id", "0",
    ]

    @Test func `in any document a pointer finds the value that is there or nothing`() throws {
        var random = Mutator(seed: FuzzRun.seed &+ 10, tokens: Self.tokens)
        let documents = [
            #"{"verification":{"id":"scan-1","status":"approved","code":9001},"list":[1,[2,{"a":null}]],"":{"~":"/"}}"#,
            #"[{"id":"x"},{"id":42},true,-1.5e3,"é😀"]"#, "{}", #""text""#,
        ]
        let pointers = ["/verification/id", "/list/1/1/a", "//~0", "/0/id", "", "/verification", "/list/-", "/list/01"]
        var found = 0
        for number in 0..<FuzzRun.inputs {
            let text = random.mutated(random.pick(documents))
            let path = number.isMultiple(of: 2) ? random.pick(pointers) : random.mutated(random.pick(pointers), upTo: 2)
            guard let document = try? JSONReader.read(Array(text.utf8)), let pointer = JSONPointer(path) else {
                continue
            }
            guard let value = pointer.value(in: document) else { continue }
            found += 1
            if let id = value.identifier { try #require((1...256).contains(id.utf8.count), "input \(number)") }
        }
        #expect(found > 0 && found < FuzzRun.inputs)
    }

    @Test func `a template that is taken is filled so that its place holds`() throws {
        var random = Mutator(seed: FuzzRun.seed &+ 11, tokens: Self.tokens)
        let corpus: [(String, TemplatePosition)] = [
            (#"{"user":"{{account}}","t":{{deadlineSeconds}},"n":{"a":["{{secret.a}}"]}}"#, .json),
            ("/v1/scans/{{account}}/x?t={{deadlineSeconds}}&u={{requestID}}", .path),
            ("Token {{secret.a}};n={{account}}", .header), ("{{method}}\n{{path}}\n{{body}}", .signed),
        ]
        let values = [
            "person-1", "\"", "\\", "a\",\"b\":\"", "../..", "é\u{0}\r\nX: 1", "}}{{account}}", "%2f?#", "", "7",
        ]
        var (filled, twins) = (0, 0)
        for number in 0..<FuzzRun.inputs {
            let (text, position) = random.pick(corpus)
            guard let template = try? TemplateText(random.mutated(text, upTo: 3), position, in: .begin) else {
                continue
            }
            let value = random.pick(values)
            guard let result = try? template.filled({ $0.isNumber ? "180" : value }) else { continue }
            filled += 1
            switch position {
            case .json:
                // The same shape whatever the value: it never gets out of its string.
                let plain = try template.filled { $0.isNumber ? "180" : "a" }
                let shape = try #require(try? JSONReader.read(Array(plain.utf8)), "input \(number): \(template.source)")
                // Two members whose names hold a value may have become one and the same: no two do when each is told
                // apart by a number.
                let actual: JSONValue
                if let read = try? JSONReader.read(Array(result.utf8)) {
                    actual = read
                } else {
                    var occurrence = 0
                    let numbered = try template.filled { variable in
                        occurrence += 1
                        return variable.isNumber ? "180" : "\(value)#\(occurrence)"
                    }
                    twins += 1
                    actual = try #require(
                        try? JSONReader.read(Array(numbered.utf8)),
                        "input \(number): \(template.source) with \(value)"
                    )
                }
                try #require(Self.isAlike(shape, actual), "input \(number): \(template.source)")
            case .path:
                try #require(result.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "input \(number): \(result)")
                try #require(!result.contains("#"), "input \(number): \(result)")
            case .header:
                try #require(result.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "input \(number): \(result)")
            case .signed: continue
            }
        }
        #expect(filled > 0 && filled < FuzzRun.inputs && twins < filled / 10)
    }

    @Test func `only an answer about the server's own scan approves`() throws {
        var random = Mutator(seed: FuzzRun.seed &+ 12, tokens: Self.tokens)
        let template = try Self.check()
        let corpus = [
            #"{"id":"scan-1","status":"complete","result":"pass","confidence":97.5}"#,
            #"{"id":"scan-1","status":"complete","result":"fail","confidence":12}"#,
            #"{"id":"scan-2","status":"complete","result":"pass","confidence":97.5}"#,
            #"{"id":"scan-1","status":"running","result":null}"#, #"{"id":null}"#, "[]",
        ]
        var approved = 0
        for number in 0..<FuzzRun.inputs {
            let body = Array(random.mutated(random.pick(corpus), upTo: 3).utf8)
            let reading = CheckReading(body, of: ProviderReference("scan-1"), template)
            guard reading.status == .approved else { continue }
            approved += 1
            guard case .object(let members) = try JSONReader.read(body) else {
                Issue.record("input \(number): no object approves")
                return
            }
            try #require(members["id"] == .string("scan-1"), "input \(number)")
            try #require(members["status"] == .string("complete"), "input \(number)")
            try #require(members["result"] == .string("pass"), "input \(number)")
            try #require((members["confidence"]?.number ?? 0) >= 90, "input \(number)")
        }
        #expect(approved > 0 && approved < FuzzRun.inputs)
    }

    @Test func `no page but one of our origins is passed on`() throws {
        var random = Mutator(
            seed: FuzzRun.seed &+ 13,
            tokens: [
                "@", "\\", "//", "/", ":", "https://", "evil.example", "#", "?", "%40", "\t", "．", ".", "[", "]",
                ":443",
            ]
        )
        let corpus = ["https://scan.example.com/p?s=1", "https://scan.example.com:443/", "https://scan.example.com"]
        var passed = 0
        for number in 0..<FuzzRun.inputs {
            let url = random.mutated(random.pick(corpus), upTo: 3)
            guard PageOrigin.of(url) == "https://scan.example.com" else { continue }
            passed += 1
            // A reader that only knows prefixes would say the same.
            let lowered = url.lowercased()
            let rest = try #require(
                lowered.hasPrefix("https://scan.example.com") ? lowered.dropFirst(24) : nil,
                "input \(number): \(url)"
            )
            let end = rest.hasPrefix(":443") ? rest.dropFirst(4).first : rest.first
            try #require(end == nil || end == "/" || end == "?" || end == "#", "input \(number): \(url)")
        }
        #expect(passed > 0 && passed < FuzzRun.inputs)
    }

    /// Returns the same members, lists and kinds of values, whatever the texts.
    private static func isAlike(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.object(let one), .object(let other)):
            one.count == other.count
                && one.allSatisfy { name, value in other[name].map { isAlike(value, $0) } ?? true }
        case (.array(let one), .array(let other)):
            one.count == other.count && zip(one, other).allSatisfy { isAlike($0, $1) }
        case (.string, .string), (.null, .null): true
        case (.number(let one), .number(let other)): one == other
        case (.bool(let one), .bool(let other)): one == other
        case (.object, _), (.array, _), (.string, _), (.null, _), (.number, _), (.bool, _): false
        }
    }

    private static func check() throws -> CheckTemplate {
        let rows = [("complete, pass", TemplateVerdict.approved), ("complete, *", .declined), ("*, ~", .processing)]
        return CheckTemplate(
            RequestTemplate(.get, try TemplateText("/{{reference}}", .path, in: .check)),
            reference: JSONPointer("/id"),
            status: try ["/status", "/result"].map { try #require(JSONPointer($0)) },
            verdicts: VerdictTable(rows.map { VerdictTable.Row($0.0, count: 2, verdict: $0.1) }),
            requirements: [
                VerdictRequirement(
                    name: "alive",
                    pointer: try #require(JSONPointer("/confidence")),
                    rule: .atLeast(90),
                    otherwise: .livenessFailed
                )
            ]
        )
    }
}
