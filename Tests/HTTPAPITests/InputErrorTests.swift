import HTTPTypes
import HummingbirdTesting
import Operations
import Settings
import Testing

@testable import Assembly

/// One code for each input error.
struct InputErrorTests {
    /// A body, and the error in it.
    struct InputError: Sendable {
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

    private static let challenge = Harness.challenge
    private static let long = String(repeating: "a", count: 321)

    private static let faults = [
        InputError("", "malformed_json"), InputError("{", "malformed_json"), InputError("[]", "malformed_json"),
        InputError("null", "malformed_json"), InputError("\"text\"", "malformed_json"),
        InputError("5", "malformed_json"),
        InputError("email=ada@example.com", "malformed_json"),
        InputError("{\"email\":\"ada@example.com\",}x", "malformed_json"),
        InputError(String(repeating: "[", count: 60_000), "malformed_json"),
        InputError(String(repeating: #"{"email":"#, count: 7000), "malformed_json"),
        InputError(#"{"email":"ada@example.com","email":"eve@example.com"}"#, "malformed_json", says: "a member twice"),
        InputError(#"{"email":"ada@example.com","em\u0061il":"ada@example.com"}"#, "malformed_json"),
        InputError(#"{"email":"ada@example.com","deviceInfo":{"model":"x","model":"y"}}"#, "malformed_json"),
        InputError("{}", "invalid_request", says: "“email” is missing"),
        InputError(#"{"email":5}"#, "invalid_request", says: "“email” has the wrong type"),
        InputError(#"{"email":["ada@example.com"]}"#, "invalid_request", says: "“email” has the wrong type"),
        InputError(#"{"email":null}"#, "invalid_request", says: "“email”"),
        InputError(#"{"email":"ada@example.com","clientId":7}"#, "invalid_request", says: "“clientId”"),
        InputError(#"{"email":"ada@example.com","codeChallenge":{}}"#, "invalid_request", says: "“codeChallenge”"),
        InputError(#"{"email":""}"#, "invalid_email"), InputError(#"{"email":"ada"}"#, "invalid_email"),
        InputError(#"{"email":"ada\u0000@example.com"}"#, "invalid_email"),
        InputError(#"{"email":"ada\r\n@example.com"}"#, "invalid_email"),
        InputError("{\"email\":\"\(long)@example.com\"}", "invalid_email"),
        InputError(#"{"email":"ada@example.com","clientId":"nobody"}"#, "unknown_client"),
        InputError(#"{"email":"ada@example.com","clientId":""}"#, "unknown_client"),
        InputError(#"{"email":"ada@example.com","mode":"other-device"}"#, "invalid_mode"),
        InputError(#"{"email":"ada@example.com","mode":""}"#, "invalid_mode"),
        InputError(#"{"email":"ada@example.com","codeChallenge":"short"}"#, "invalid_code_challenge"),
        InputError(#"{"email":"ada@example.com","codeChallenge":""}"#, "invalid_code_challenge"),
        InputError("{\"email\":\"ada@example.com\",\"codeChallenge\":\"\(challenge)=\"}", "invalid_code_challenge"),
        InputError("{\"email\":\"ada@example.com\",\"codeChallenge\":\"\(challenge)A\"}", "invalid_code_challenge"),
        InputError(
            "{\"email\":\"ada@example.com\",\"codeChallenge\":\"\(challenge.replacing("-", with: "+"))\"}",
            "invalid_code_challenge"
        ),
        InputError(
            "{\"email\":\"ada@example.com\",\"codeChallenge\":\"\(challenge)\",\"codeChallengeMethod\":\"plain\"}",
            "unsupported_challenge_method"
        ),
        InputError(
            "{\"email\":\"ada@example.com\",\"codeChallenge\":\"\(challenge)\",\"codeChallengeMethod\":\"s256\"}",
            "unsupported_challenge_method"
        ),
        InputError(#"{"email":"ada@example.com","codeChallengeMethod":"S256"}"#, "invalid_code_challenge"),
    ]

    @Test func `a start that is wrong is told what is wrong, and starts nothing`() async throws {
        try await Harness.run {
            $0.limits.off = true
        } _: { harness in
            for fault in Self.faults {
                let input: Comment = "\(fault.body.prefix(60))"
                let response = try await harness.post(Harness.initiatePath, fault.body)
                try harness.expect(response, is: fault.code, 400, input)
                #expect(response.text.contains(fault.says), input)
                #expect(response.headers[.setCookie] == nil, input)
                #expect(harness.composition.service.cache.count == 0, input)
            }
        }
    }

    @Test func `unknown members and null for absent ones are accepted in a start`() async throws {
        try await Harness.run { harness in
            let body = """
                {"email":"ada@example.com","clientId":null,"codeChallenge":null,"codeChallengeMethod":null,"mode":null,
                "deviceInfo":{"model":"x"}}
                """
            let mode = #"{"email":"ada@example.com","mode":"same-device"}"#
            for text in [body, mode] {
                let response = try await harness.post(Harness.initiatePath, text)
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
        try await Harness.run {
            $0.limits.off = true
        } _: { harness in
            for (type, status) in Self.contentTypes {
                var headers: HTTPFields = [:]
                headers[.contentType] = type
                let body = #"{"email":"ada@example.com"}"#
                let response = try await harness.send(.post, Harness.initiatePath, headers, body: body)
                #expect(response.status.code == status, "\(type ?? "none")")
                if status == 415 { try harness.expect(response, is: "unsupported_media_type", 415) }
            }
        }
    }

    // T-229
    @Test func `a body of 64 KiB is read, and one byte more is refused`() async throws {
        try await Harness.run { harness in
            let short = #"{"email":"ada@example.com"}"#
            let largest = short + String(repeating: " ", count: 65_536 - short.utf8.count)
            #expect(try await harness.post(Harness.initiatePath, largest).status == .ok)
            let response = try await harness.post(Harness.initiatePath, largest + " ")
            try harness.expect(response, is: "payload_too_large", 413)
            #expect(response.text.contains("65536"))
        }
    }

    // T-229
    @Test func `every route that reads a body holds to the limit and to JSON`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            for path in [login.pollPath, login.ackPath, login.cancelPath] {
                for path in [path, "/api" + path] {
                    let large = try await harness.post(path, String(repeating: " ", count: 65_537))
                    try harness.expect(large, is: "payload_too_large", 413)
                    let text = try await harness.send(.post, path, [.contentType: "text/plain"], body: "{}")
                    try harness.expect(text, is: "unsupported_media_type", 415)
                    try harness.expect(try await harness.post(path, "{"), is: "malformed_json", 400)
                    let number = try await harness.post(path, #"{"codeVerifier":5}"#)
                    try harness.expect(number, is: "invalid_request", 400)
                }
            }
        }
    }

    @Test func `an empty body under a JSON content type is no fault where none is needed`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            #expect(try await harness.post(login.pollPath, "").status == .ok)
            #expect(try await harness.send(.post, login.pollPath).status == .ok)
            #expect(try await harness.post(login.cancelPath, "", login.bound).status == .ok)
        }
    }

    @Test func `a wait other than a whole number from 1 to 30 gets 400 invalid_wait`() async throws {
        try await Harness.run {
            $0.limits.off = true
        } _: { harness in
            let login = try await harness.start()
            for wait in ["0", "31", "x", "", "-1", "1.5", "+5x", "9999999999999999999999", "1%20"] {
                let response = try await harness.send(.get, "\(login.pollPath)?wait=\(wait)")
                try harness.expect(response, is: "invalid_wait", 400, "\(wait)")
            }
        }
    }

    @Test func `an id that nobody was given is not found, on every route that takes one`() async throws {
        try await Harness.run { harness in
            for id in [
                "00000000-0000-4000-8000-000000000000", "x", "", "not-a-uuid", "..%2f..%2fetc%2fpasswd", "%00",
                "'%20OR%201=1--",
            ] {
                for verb in ["poll", "ack", "cancel"] {
                    let path = "/auth/biometric-login/\(verb)/\(id)"
                    let response = try await harness.send(.post, path)
                    #expect(response.status == .notFound, "\(path)")
                    let code = try response.json()["code"] as? String
                    #expect(code == (id.isEmpty ? "not_found" : "operation_not_found"), "\(path)")
                }
            }
        }
    }

    // T-238
    @Test(.ofOneDaemon(.dividedLimit))
    func `attack: after 200 polls of guessed operation ids an address gets 429 with Retry-After`()
        async throws
    {
        try await Harness.run { harness in
            var refused = 0
            for number in 0..<500 {
                let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 9) + "\(number + 100)"
                let response = try await harness.send(.get, "/auth/biometric-login/poll/\(id)")
                guard response.status == .tooManyRequests else { continue }
                refused += 1
                if refused == 1 {
                    try harness.expect(response, is: "rate_limited", 429)
                    #expect(Int(response.headers[.retryAfter] ?? "").map { $0 >= 1 } == true)
                }
            }
            #expect(refused == 300, "200 at once from one address")
            let login = try await harness.start()
            #expect(try await harness.poll(login).status == .ok, "honest clients don't feel it")
        }
    }
}
