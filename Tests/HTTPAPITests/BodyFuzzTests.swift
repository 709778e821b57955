import Fuzzing
import HTTPTypes
import HummingbirdTesting
import Kernel
import Testing

@testable import Vestibule

/// A seeded mutator against what clients send: whatever comes, there is an answer that is no fault of ours, in the one
/// form that errors have.
struct BodyFuzzTests {
    private static let tokens = [
        "{", "}", "[", "]", "\"", ":", ",", "null", "true", "1e999", "\\u0000", "\\ud800", "\u{0}", "é", "\r\n", "%2f",
        "%00",
        "..", "/", "?", "&wait=30", "=", "email", "ada@example.com", "clientId", "bbms", "codeChallenge", "mode", "@",
        String(repeating: "a", count: 400),
    ]

    @Test func `no body of a start is a fault of ours`() async throws {
        let corpus = [
            #"{"email":"ada@example.com"}"#, #"{"email":"nobody@example.com","clientId":"bbms"}"#,
            "{\"email\":\"ada@example.com\",\"codeChallenge\":\"\(Bench.challenge)\",\"codeChallengeMethod\":\"S256\"}",
            #"{"email":"ada@example.com","mode":"same-device","more":[1,{"a":null}]}"#,
        ]
        try await Bench.run { settings in
            settings.limits.off = true
        } _: { bench in
            var random = Mutator(seed: FuzzRun.seed &+ 30, tokens: Self.tokens)
            var codes: Set<Int> = []
            // A start that is taken is a durable row: a hundredth of what parsers get.
            for number in 0..<max(1, FuzzRun.inputs / 100) {
                let body = random.mutated(random.pick(corpus))
                let response = try await bench.post(Bench.initiatePath, body)
                codes.insert(Int(response.status.code))
                try #require(response.status.code < 500, "input \(number): \(body)")
                if response.status.code != 200 {
                    try #require(try response.json()["code"] is String, "input \(number): \(body)")
                }
            }
            #expect(codes.contains(200) && codes.contains(400))
        }
    }

    @Test func `no poll, acknowledgement or cancellation is a fault of ours`() async throws {
        try await Bench.run { settings in
            settings.limits.off = true
        } _: { bench in
            let login = try await bench.start(isChallenged: true)
            var random = Mutator(seed: FuzzRun.seed &+ 31, tokens: Self.tokens)
            let id = login.id
            let bodies = [#"{"codeVerifier":"\#(Bench.verifier)"}"#, "{}", ""]
            for number in 0..<max(1, FuzzRun.inputs / 20) {
                let name = random.pick(["poll", "ack", "cancel"])
                let isPost = name == "ack" || name == "cancel"
                var path = number.isMultiple(of: 3) ? id : random.mutated(id, upTo: 2)
                // What no HTTP client sends: the line of a request has no blank and no control character.
                path = Self.encoded(path)
                let headers =
                    number.isMultiple(of: 4)
                    ? HTTPFields() : [.codeVerifier: Self.visible(random.mutated(Bench.verifier, upTo: 2))]
                let uri = "/auth/biometric-login/\(name)/\(path)"
                let response =
                    isPost
                    ? try await bench.post(uri, random.mutated(random.pick(bodies)), headers)
                    : try await bench.send(.get, uri, headers)
                try #require(response.status.code < 500, "input \(number): \(uri)")
            }
            // Whoever has the verifier still can.
            let response = try await bench.poll(login, Bench.proof)
            #expect(response.status == .ok)
        }
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            (0x21...0x7E).contains(byte) && !"#?".utf8.contains(byte)
                ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private static func visible(_ text: String) -> String {
        String(decoding: text.utf8.filter { (0x21...0x7E).contains($0) }, as: UTF8.self)
    }
}
