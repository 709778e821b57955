import Kernel
import Testing

@testable import FaceProviders

struct TemplateTextTests {
    private func fault(_ text: String, _ position: TemplatePosition, in scope: TemplateScope = .begin) -> TemplateError?
    {
        do throws(TemplateError) {
            _ = try TemplateText(text, position, in: scope)
            return nil
        } catch { return error }
    }

    private func filled(
        _ text: String,
        _ position: TemplatePosition,
        in scope: TemplateScope = .begin,
        with value: String
    ) throws -> String {
        try TemplateText(text, position, in: scope).filled { _ in value }
    }

    @Test func `a text without variables is itself`() throws {
        #expect(try filled("/v1/sessions?a=b", .path, with: "x") == "/v1/sessions?a=b")
        #expect(try filled(#"{"a":{"b":1}}"#, .json, with: "x") == #"{"a":{"b":1}}"#)
    }

    // T-055
    @Test func `a value in a path is one segment, whatever it holds`() throws {
        let template = "/v1/{{reference}}/decision?x={{reference}}"
        #expect(
            try filled(template, .path, in: .check, with: "a/../b?c#d e%")
                == "/v1/a%2F..%2Fb%3Fc%23d%20e%25/decision?x=a%2F..%2Fb%3Fc%23d%20e%25"
        )
        for value in ["", ".", ".."] {
            #expect(throws: TemplateError.unfitValue("reference")) {
                try filled(template, .path, in: .check, with: value)
            }
        }
    }

    // T-055
    @Test func `a value in JSON stays in its string`() throws {
        let hostile = "\",\"admin\":true,\"x\":\"\\\u{0}\n\u{2028}é"
        let text = try filled(#"{"user": "{{account}}"}"#, .json, with: hostile)
        #expect(try JSONReader.read(Array(text.utf8)) == .object(["user": .string(hostile)]))
        let braces = try filled(#"{"a":{"b":"{{account}}"}}"#, .json, with: "}}")
        #expect(braces == #"{"a":{"b":"}}"}}"#)
    }

    @Test func `outside of a string only digits are allowed`() throws {
        #expect(try filled(#"{"t": {{deadlineSeconds}}}"#, .json, with: "180") == #"{"t": 180}"#)
        #expect(try filled(#"{"\"": {{deadlineSeconds}}}"#, .json, with: "1") == #"{"\"": 1}"#)
        for value in ["", "-1", "1.5", "true", "1,\"a\":1", "12345678901234567890"] {
            #expect(throws: TemplateError.unfitValue("deadlineSeconds")) {
                try filled(#"{"t": {{deadlineSeconds}}}"#, .json, with: value)
            }
        }
        #expect(
            fault(#"{"t": {{account}}}"#, .json)
                == .unfitText("{{account}} is outside quotes, where only numbers are allowed")
        )
    }

    // T-055
    @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "a\u{0}b", "é", "\u{7F}"])
    func `a header's value never begins another header`(_ value: String) {
        #expect(throws: TemplateError.unfitValue("account")) {
            try filled("Token {{account}}", .header, with: value)
        }
    }

    // T-055
    @Test func `the signed text is the text that is sent`() throws {
        #expect(try filled("{{method}}\n{{body}}", .signed, in: .everyRequest, with: "é\"\n") == "é\"\n\né\"\n")
    }

    @Test func `errors say what is wrong`() {
        #expect(fault("/{{account", .path) == .unclosed)
        #expect(fault("/{{acount}}", .path) == .unknownVariable("acount"))
        #expect(fault("/{{}}", .path) == .unknownVariable(""))
        #expect(fault("/{{secret.}}", .path) == .unknownVariable("secret."))
        #expect(fault("{{ account }}x", .header) == nil)
        #expect(fault("v1/sessions", .path) == .unfitText("does not begin with /"))
        #expect(fault("/a b", .path)?.message.contains("Percent-encode") == true)
        #expect(fault("/a#b", .path) != nil)
        #expect(fault("a\nb", .header) == .unfitText("is not visible ASCII"))
        #expect(fault("{", .json) == .unfitText("is not JSON, or has a member twice"))
        #expect(fault(#"{"a":1,"a":2}"#, .json) != nil)
        #expect(fault(#"{"a":"\{{account}}"}"#, .json) != nil)
        #expect(fault(#"{"a":"\u000{{account}}"}"#, .json) != nil)
        #expect(fault(String(repeating: "a", count: 16_385), .header) != nil)
    }

    @Test func `a variable is refused where it has no value`() {
        let cases: [(String, TemplatePosition, TemplateScope)] = [
            ("/{{reference}}", .path, .begin), ("/{{account}}", .path, .check), ("/{{secret.key}}", .path, .begin),
            ("{{body}}", .header, .begin), ("{{signature}}", .header, .everyRequest), ("{{found.x}}", .header, .begin),
            ("/{{secret.key}}", .path, .page), ("{{account}}", .header, .everyRequest),
            ("{{deadlineSeconds}}", .header, .check),
        ]
        for (text, position, scope) in cases {
            guard case .outOfPlace? = fault(text, position, in: scope) else {
                Issue.record("\(text) in \(position) of \(scope)")
                continue
            }
        }
        #expect(fault("https://scan.example.com/{{reference}}?t={{found.token}}", .path, in: .page) == nil)
        #expect(fault("{{signature}}", .header, in: .signature) == nil)
        #expect(
            TemplateScope.begin.names(in: .path) == [
                "account", "deadlineSeconds", "deadlineTime", "callbackURL", "requestID", "publicURL", "timestamp",
                "time",
            ]
        )
    }

    @Test func `the names of secrets and found values are known`() throws {
        let text = try TemplateText("{{secret.a}} {{secret.b-2}} {{timestamp}}", .header, in: .everyRequest)
        #expect(text.secretNames == ["a", "b-2"])
        let page = try TemplateText("https://x.example/{{found.token}}", .path, in: .page)
        #expect(page.foundNames == ["token"])
        #expect(page.beginning == "https://x.example/")
    }

    @Test func `a missing value is a fault and no blank`() throws {
        let text = try TemplateText("{{secret.a}}", .header, in: .everyRequest)
        #expect(throws: TemplateError.missing("secret.a")) { try text.filled { _ in nil } }
    }
}
