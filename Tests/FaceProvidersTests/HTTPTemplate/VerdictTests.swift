import Kernel
import Operations
import Outbound
import Testing

@testable import FaceProviders

struct VerdictTests {
    private static let scan = ProviderReference("scan-1")

    private func template(
        _ rows: [(String, TemplateVerdict)],
        status: [String] = ["/status"],
        reference: String? = "/id",
        require: [VerdictRequirement] = []
    ) throws -> CheckTemplate {
        let rows = rows.map { VerdictTable.Row($0.0, count: status.count, verdict: $0.1) }
        return CheckTemplate(
            RequestTemplate(.get, try TemplateText("/{{reference}}", .path, in: .check)),
            reference: reference.flatMap { JSONPointer($0) },
            status: try status.map { try #require(JSONPointer($0)) },
            verdicts: VerdictTable(rows),
            requirements: require
        )
    }

    private func read(_ body: String, _ template: CheckTemplate) -> ScanStatus {
        CheckReading(Array(body.utf8), of: Self.scan, template).status
    }

    @Test func `every verdict has a code of the server's own`() {
        let all: [(TemplateVerdict, ScanStatus)] = [
            (.approved, .approved), (.declined, .rejected(.declined)), (.notMatched, .rejected(.notMatched)),
            (.livenessFailed, .rejected(.livenessFailed)), (.tooManyAttempts, .rejected(.tooManyAttempts)),
            (.expired, .expired), (.canceled, .canceled), (.error, .broken),
            (.userInProvider, .pending(.userInProvider)), (.processing, .pending(.processing)),
        ]
        for (verdict, status) in all { #expect(verdict.status == status) }
        #expect(all.count == TemplateVerdict.allCases.count)
    }

    // T-053
    @Test func `a status that no row names is unrecognised, never an approval`() throws {
        let template = try template([("ok", .approved), ("no", .declined)])
        #expect(read(#"{"id":"scan-1","status":"ok"}"#, template) == .approved)
        #expect(read(#"{"id":"scan-1","status":"no"}"#, template) == .rejected(.declined))
        let odd = [
            #"{"id":"scan-1","status":"OK"}"#, #"{"id":"scan-1","status":"ok "}"#, #"{"id":"scan-1","status":["ok"]}"#,
            #"{"id":"scan-1","status":{"ok":true}}"#, #"{"id":"scan-1","status":null}"#, #"{"id":"scan-1"}"#, "{}",
            "[]", #""ok""#,
        ]
        for body in odd { #expect(read(body, template) == .unrecognised, "\(body)") }
        let unreadable = [
            "", "ok", "<html>", #"{"id":"scan-1","status":"no","status":"ok"}"#, #"{"id":"scan-1","status":"ok"}x"#,
        ]
        for body in unreadable { #expect(read(body, template) == .nonsense, "\(body)") }
    }

    // T-050, T-053
    @Test func `an answer about another scan counts for nothing`() throws {
        let template = try template([("ok", .approved), ("no", .declined), ("wait", .processing)])
        for status in ["ok", "no", "wait"] {
            #expect(read(#"{"id":"scan-2","status":"\#(status)"}"#, template) == .nonsense)
        }
        #expect(read(#"{"id":["scan-1"],"status":"ok"}"#, template) == .nonsense)
        #expect(read(#"{"id":true,"status":"wait"}"#, template) == .nonsense)
    }

    // T-053
    @Test func `an answer that does not name its scan may say that it is pending, and no more`() throws {
        let template = try template([("ok", .approved), ("no", .declined), ("~", .processing)])
        #expect(read(#"{"status":"ok"}"#, template) == .unrecognised)
        #expect(read(#"{"id":null,"status":"no"}"#, template) == .unrecognised)
        #expect(read(#"{"id":null}"#, template) == .pending(.processing))
        #expect(read(#"{}"#, template) == .pending(.processing))
        let unnamed = try self.template([("ok", .approved)], reference: nil)
        #expect(read(#"{"status":"ok"}"#, unnamed) == .approved)
    }

    @Test func `several pointers make rows with commas, of which the first counts`() throws {
        let template = try template(
            [
                ("complete, pass", .approved), ("complete, ~", .processing), ("complete, *", .declined),
                ("*, *", .userInProvider),
            ],
            status: ["/status", "/decision"]
        )
        let cases: [(String, ScanStatus)] = [
            (#""status":"complete","decision":"pass""#, .approved),
            (#""status":"complete","decision":"fail""#, .rejected(.declined)),
            (#""status":"complete","decision":["pass"]"#, .rejected(.declined)),
            (#""status":"complete""#, .pending(.processing)),
            (#""status":"running","decision":"pass""#, .pending(.userInProvider)),
        ]
        for (members, status) in cases { #expect(read("{\"id\":\"scan-1\",\(members)}", template) == status) }
        for text in ["a", "*", "a,b,c", "*,*,*"] {
            let table = VerdictTable([VerdictTable.Row(text, count: 2, verdict: .declined)])
            #expect(table.row(for: [.string("a"), .string("b")]) == nil, "\(text)")
        }
        #expect(VerdictTable.Row("a, b", count: 1, verdict: .approved).isExact)
        #expect(!VerdictTable.Row("a, *", count: 2, verdict: .approved).isExact)
        #expect(!VerdictTable.Row("~", count: 1, verdict: .approved).isExact)
        #expect(!VerdictTable.Row(",", count: 2, verdict: .approved).isExact)
    }

    @Test func `numbers and truth values are words`() throws {
        let template = try template([("9001", .approved), ("true", .declined)])
        #expect(read(#"{"id":"scan-1","status":9001}"#, template) == .approved)
        #expect(read(#"{"id":"scan-1","status":"9001"}"#, template) == .approved)
        #expect(read(#"{"id":"scan-1","status":true}"#, template) == .rejected(.declined))
        #expect(read(#"{"id":"scan-1","status":9001.0}"#, template) == .unrecognised)
    }

    // T-053
    @Test func `SUCCEEDED is not alive: the confidence has to be there and high enough`() throws {
        let alive = VerdictRequirement(
            name: "alive",
            pointer: try #require(JSONPointer("/Confidence")),
            rule: .atLeast(90),
            otherwise: .livenessFailed
        )
        let template = try template([("SUCCEEDED", .approved)], require: [alive])
        let answer = { (confidence: String) in #"{"id":"scan-1","status":"SUCCEEDED"\#(confidence)}"# }
        for number in ["90", "90.0", "99.9", "9.5e1"] {
            #expect(read(answer(",\"Confidence\":\(number)"), template) == .approved)
        }
        for number in ["89.999", "0", "-100", "9e0"] {
            #expect(read(answer(",\"Confidence\":\(number)"), template) == .rejected(.livenessFailed))
        }
        for odd in [
            "", ",\"Confidence\":null", ",\"Confidence\":\"99\"", ",\"Confidence\":1e400", ",\"Confidence\":[99]",
        ] {
            #expect(read(answer(odd), template) == .unrecognised, "\(odd)")
        }
    }

    @Test func `a requirement of a text, and only where the status approves`() throws {
        let purpose = VerdictRequirement(
            name: "purpose",
            pointer: try #require(JSONPointer("/kind")),
            rule: .equals("login"),
            otherwise: .error
        )
        let template = try template([("ok", .approved), ("no", .declined)], require: [purpose])
        #expect(read(#"{"id":"scan-1","status":"ok","kind":"login"}"#, template) == .approved)
        #expect(read(#"{"id":"scan-1","status":"ok","kind":"test"}"#, template) == .broken)
        #expect(read(#"{"id":"scan-1","status":"ok"}"#, template) == .unrecognised)
        #expect(read(#"{"id":"scan-1","status":"no"}"#, template) == .rejected(.declined))
    }

    @Test func `a reading says why`() throws {
        let template = try template([("ok", .approved)])
        let reading = { (body: String) in CheckReading(Array(body.utf8), of: Self.scan, template).reason }
        #expect(reading("x") == "the answer is not JSON")
        #expect(reading(#"{"id":"other","status":"ok"}"#) == "the answer is about another scan")
        #expect(reading(#"{"status":"ok"}"#) == "the answer does not name its scan")
        #expect(reading(#"{"id":"scan-1","status":"?"}"#) == "no row of verdicts fits the status")
        #expect(reading(#"{"id":"scan-1","status":"ok"}"#) == "verdicts: ok")
    }
}
