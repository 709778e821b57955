import HTTPTypes
import HummingbirdTesting
import Operations
import Settings
import Testing

@testable import Vestibule

/// One code for each input error.
struct InputFaultTests {
    /// A body, and the error in it.
    struct Fault: Sendable {
        let body: String
        let code: String
        /// A part of the sentence.
        let says: String

        init(_ body: String, _ code: String, says: String = "") {
            self.body = body
            self.code = code
            self.says = says
        }
    }

    private static let challenge = Bench.challenge
    private static let long = String(repeating: "a", count: 321)

    private static let faults = [
        Fault("", "malformed_json"), Fault("{", "malformed_json"), Fault("[]", "malformed_json"),
        Fault("null", "malformed_json"), Fault("\"text\"", "malformed_json"), Fault("5", "malformed_json"),
        Fault("email=ada@example.com", "malformed_json"), Fault("{\"email\":\"ada@example.com\",}x", "malformed_json"),
        Fault(String(repeating: "[", count: 60_000), "malformed_json"),
        Fault(String(repeating: #"{"email":"#, count: 7000), "malformed_json"),
        Fault(#"{"email":"ada@example.com","email":"eve@example.com"}"#, "malformed_json", says: "a member twice"),
        Fault(#"{"email":"ada@example.com","em\u0061il":"ada@example.com"}"#, "malformed_json"),
        Fault(#"{"email":"ada@example.com","deviceInfo":{"model":"x","model":"y"}}"#, "malformed_json"),
        Fault("{}", "invalid_request", says: "“email” is missing"),
        Fault(#"{"email":5}"#, "invalid_request", says: "“email” has the wrong type"),
        Fault(#"{"email":["ada@example.com"]}"#, "invalid_request", says: "“email” has the wrong type"),
        Fault(#"{"email":null}"#, "invalid_request", says: "“email”"),
        Fault(#"{"email":"ada@example.com","clientId":7}"#, "invalid_request", says: "“clientId”"),
        Fault(#"{"email":"ada@example.com","codeChallenge":{}}"#, "invalid_request", says: "“codeChallenge”"),
        Fault(#"{"email":""}"#, "invalid_email"), Fault(#"{"email":"ada"}"#, "invalid_email"),
        Fault(#"{"email":"ada\u0000@example.com"}"#, "invalid_email"),
        Fault(#"{"email":"ada\r\n@example.com"}"#, "invalid_email"),
        Fault("{\"email\":\"\(long)@example.com\"}", "invalid_email"),
        Fault(#"{"email":"ada@example.com","clientId":"nobody"}"#, "unknown_client"),
        Fault(#"{"email":"ada@example.com","clientId":""}"#, "unknown_client"),
        Fault(#"{"email":"ada@example.com","mode":"other-device"}"#, "invalid_mode"),
        Fault(#"{"email":"ada@example.com","mode":""}"#, "invalid_mode"),
        Fault(#"{"email":"ada@example.com","codeChallenge":"short"}"#, "invalid_code_challenge"),
        Fault(#"{"email":"ada@example.com","codeChallenge":""}"#, "invalid_code_challenge"),
        Fault("{\"email\":\"ada@example.com\",\"codeChallenge\":\"\(challenge)=\"}", "invalid_code_challenge"),
        Fault("{\"email\":\"ada@example.com\",\"codeChallenge\":\"\(challenge)A\"}", "invalid_code_challenge"),
        Fault(
            "{\"email\":\"ada@example.com\",\"codeChallenge\":\"\(challenge.replacing("-", with: "+"))\"}",
            "invalid_code_challenge"
        ),
        Fault(
            "{\"email\":\"ada@example.com\",\"codeChallenge\":\"\(challenge)\",\"codeChallengeMethod\":\"plain\"}",
            "unsupported_challenge_method"
        ),
        Fault(
            "{\"email\":\"ada@example.com\",\"codeChallenge\":\"\(challenge)\",\"codeChallengeMethod\":\"s256\"}",
            "unsupported_challenge_method"
        ),
        Fault(#"{"email":"ada@example.com","codeChallengeMethod":"S256"}"#, "invalid_code_challenge"),
    ]

    @Test func `a start that is wrong is told what is wrong, and starts nothing`() async throws {
        try await Bench.run {
            $0.limits.off = true
        } _: { bench in
            for fault in Self.faults {
                let input: Comment = "\(fault.body.prefix(60))"
                let response = try await bench.post(Bench.initiatePath, fault.body)
                try bench.expect(response, is: fault.code, 400, input)
                #expect(response.text.contains(fault.says), input)
                #expect(response.headers[.setCookie] == nil, input)
                #expect(bench.composition.service.cache.count == 0, input)
            }
        }
    }

    @Test func `members that nobody knows, and absent ones written as null, are no fault`() async throws {
        try await Bench.run { bench in
            let body = """
                {"email":"ada@example.com","clientId":null,"codeChallenge":null,"codeChallengeMethod":null,"mode":null,
                "deviceInfo":{"model":"x"}}
                """
            let mode = #"{"email":"ada@example.com","mode":"same-device"}"#
            for text in [body, mode] {
                let response = try await bench.post(Bench.initiatePath, text)
                #expect(response.status == .ok)
            }
        }
    }

    private static let contentTypes: [(String?, Int)] =
        [
            (nil, 415), ("text/plain", 415), ("application/x-www-form-urlencoded", 415), ("application/jsonp", 415),
            ("multipart/form-data; boundary=x", 415), ("", 415), ("application/json", 200), ("Application/JSON", 200),
            ("application/json; charset=utf-8", 200), ("application/json;charset=utf-8", 200),
            ("application/vnd.example+json", 200),
        ]

    @Test func `a body is JSON and says so`() async throws {
        try await Bench.run {
            $0.limits.off = true
        } _: { bench in
            for (type, status) in Self.contentTypes {
                var headers: HTTPFields = [:]
                headers[.contentType] = type
                let body = #"{"email":"ada@example.com"}"#
                let response = try await bench.send(.post, Bench.initiatePath, headers, body: body)
                #expect(response.status.code == status, "\(type ?? "none")")
                if status == 415 { try bench.expect(response, is: "unsupported_media_type", 415) }
            }
        }
    }

    @Test func `a body of 64 KiB is read, and one byte more is refused`() async throws {
        try await Bench.run { bench in
            let short = #"{"email":"ada@example.com"}"#
            let largest = short + String(repeating: " ", count: 65_536 - short.utf8.count)
            #expect(try await bench.post(Bench.initiatePath, largest).status == .ok)
            let response = try await bench.post(Bench.initiatePath, largest + " ")
            try bench.expect(response, is: "payload_too_large", 413)
            #expect(response.text.contains("65536"))
        }
    }

    @Test func `every route that reads a body holds to the limit and to JSON`() async throws {
        try await Bench.run { bench in
            let login = try await bench.start()
            for path in [login.pollPath, login.ackPath, login.cancelPath] {
                for path in [path, "/api" + path] {
                    let large = try await bench.post(path, String(repeating: " ", count: 65_537))
                    try bench.expect(large, is: "payload_too_large", 413)
                    let text = try await bench.send(.post, path, [.contentType: "text/plain"], body: "{}")
                    try bench.expect(text, is: "unsupported_media_type", 415)
                    try bench.expect(try await bench.post(path, "{"), is: "malformed_json", 400)
                    let number = try await bench.post(path, #"{"codeVerifier":5}"#)
                    try bench.expect(number, is: "invalid_request", 400)
                }
            }
        }
    }

    @Test func `an empty body under a JSON content type is no fault where none is needed`() async throws {
        try await Bench.run { bench in
            let login = try await bench.start()
            #expect(try await bench.post(login.pollPath, "").status == .ok)
            #expect(try await bench.send(.post, login.pollPath).status == .ok)
            #expect(try await bench.post(login.cancelPath, "", login.bound).status == .ok)
        }
    }

    @Test func `a wait is a whole number from 1 to 30`() async throws {
        try await Bench.run {
            $0.limits.off = true
        } _: { bench in
            let login = try await bench.start()
            for wait in ["0", "31", "x", "", "-1", "1.5", "+5x", "9999999999999999999999", "1%20"] {
                let response = try await bench.send(.get, "\(login.pollPath)?wait=\(wait)")
                try bench.expect(response, is: "invalid_wait", 400, "\(wait)")
            }
        }
    }

    @Test func `an id that nobody was given is not found, on every route that takes one`() async throws {
        try await Bench.run { bench in
            for id in [
                "00000000-0000-4000-8000-000000000000", "x", "", "not-a-uuid", "..%2f..%2fetc%2fpasswd", "%00",
                "'%20OR%201=1--",
            ] {
                for verb in ["poll", "ack", "cancel"] {
                    let path = "/auth/biometric-login/\(verb)/\(id)"
                    let response = try await bench.send(.post, path)
                    #expect(response.status == .notFound, "\(path)")
                    let code = try response.json()["code"] as? String
                    #expect(code == (id.isEmpty ? "not_found" : "operation_not_found"), "\(path)")
                }
            }
        }
    }

    @Test func `attack: guessing ids is slowed down before it costs the disk`() async throws {
        try await Bench.run { bench in
            var refused = 0
            for number in 0..<500 {
                let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 9) + "\(number + 100)"
                let response = try await bench.send(.get, "/auth/biometric-login/poll/\(id)")
                guard response.status == .tooManyRequests else { continue }
                refused += 1
                if refused == 1 {
                    try bench.expect(response, is: "rate_limited", 429)
                    #expect(Int(response.headers[.retryAfter] ?? "").map { $0 >= 1 } == true)
                }
            }
            #expect(refused == 300, "200 at once from one address")
            let login = try await bench.start()
            #expect(try await bench.poll(login).status == .ok, "honest clients don't feel it")
        }
    }
}
