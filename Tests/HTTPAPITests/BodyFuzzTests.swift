import Fuzzing
import HTTPTypes
import HummingbirdTesting
import Kernel
import Settings
import Storage
import Synchronization
import Testing

@testable import Assembly

/// A seeded mutator against what clients send: every input gets an answer that is not a server error, in the one form
/// that errors have.
struct BodyFuzzTests {
    private static let tokens = [
        "{", "}", "[", "]", "\"", ":", ",", "null", "true", "1e999", "\\u0000", "\\ud800", "\u{0}", "é", "\r\n", "%2f",
        "%00",
        "..", "/", "?", "&wait=30", "=", "email", "ada@example.com", "clientId", "bbms", "codeChallenge", "mode", "@",
        String(repeating: "a", count: 400),
    ]

    /// Begun logins stay in the cache and in the store: a new daemon after so many inputs bounds their number.
    private static let share = 20_000

    @Test func `no mutated body of a start gets a 500`() async throws {
        let corpus = [
            #"{"email":"ada@example.com"}"#, #"{"email":"nobody@example.com","clientId":"bbms"}"#,
            "{\"email\":\"ada@example.com\",\"codeChallenge\":\"\(Harness.challenge)\",\"codeChallengeMethod\":\"S256\"}",
            #"{"email":"ada@example.com","mode":"same-device","more":[1,{"a":null}]}"#,
        ]
        var random = Mutator(seed: FuzzRun.seed &+ 30, tokens: Self.tokens)
        let codes = Codes()
        // An accepted start is a durable row.
        try await Self.inShares(of: FuzzRun.dearInputs(oneIn: 100)) { first, count in
            let bodies = (0..<count).map { _ in random.mutated(random.pick(corpus)) }
            try await Self.run { harness in
                for (number, body) in zip(first..., bodies) {
                    let response = try await harness.post(Harness.initiatePath, body)
                    codes.add(Int(response.status.code))
                    try #require(response.status.code < 500, "input \(number): \(body)")
                    guard response.status.code != 200 else { continue }
                    try #require(try response.json()["code"] is String, "input \(number): \(body)")
                }
            }
        }
        #expect(codes.all.isSuperset(of: [200, 400]))
    }

    @Test func `no mutated poll, acknowledgement or cancellation gets a 500`() async throws {
        var random = Mutator(seed: FuzzRun.seed &+ 31, tokens: Self.tokens)
        let codes = Codes()
        try await Self.inShares(of: FuzzRun.dearInputs(oneIn: 20)) { first, count in
            // The login has a different id in each share, put in here.
            let id = "01234567-89ab-4cde-8f01-23456789abcd"
            let requests = (0..<count).map { number in FuzzedRequest(id, isExact: number.isMultiple(of: 3), &random) }
            try await Self.run { harness in
                let login = try await harness.start(isChallenged: true)
                for (number, order) in zip(first..., requests) {
                    let uri = "/auth/biometric-login/" + order.path.replacing(id, with: login.id)
                    let headers: HTTPFields = order.verifier.map { [.codeVerifier: $0] } ?? [:]
                    let response =
                        if let body = order.body {
                            try await harness.post(uri, body, headers)
                        } else {
                            try await harness.send(.get, uri, headers)
                        }
                    codes.add(Int(response.status.code))
                    try #require(response.status.code < 500, "input \(number): \(uri)")
                }
                // The holder of the verifier still can.
                #expect(try await harness.poll(login, Harness.proof).status == .ok)
            }
        }
        #expect(codes.all.isSuperset(of: [200, 404]))
    }

    /// A request about a login.
    private struct FuzzedRequest: Sendable {
        /// The path behind the routes' common prefix.
        let path: String
        /// `nil` for a GET.
        let body: String?
        let verifier: String?

        init(_ id: String, isExact: Bool, _ random: inout Mutator) {
            let name = random.pick(["poll", "ack", "cancel"])
            // No HTTP client sends these: the line of a request has no blank and no control character.
            path = name + "/" + BodyFuzzTests.encoded(isExact ? id : random.mutated(id, upTo: 2))
            let bodies = [#"{"codeVerifier":"\#(Harness.verifier)"}"#, "{}", ""]
            body = name == "poll" ? nil : random.mutated(random.pick(bodies))
            verifier =
                random.below(4) == 0 ? nil : BodyFuzzTests.visible(random.mutated(Harness.verifier, upTo: 2))
        }
    }

    /// The status codes that occurred.
    private final class Codes: Sendable {
        private let codes = Mutex<Set<Int>>([])
        var all: Set<Int> { codes.withLock(\.self) }
        func add(_ code: Int) { codes.withLock { _ = $0.insert(code) } }
    }

    private static func inShares(
        of inputs: Int,
        _ body: (_ first: Int, _ count: Int) async throws -> Void
    ) async throws {
        for first in stride(from: 0, to: inputs, by: share) { try await body(first, min(share, inputs - first)) }
    }

    /// A daemon without limits, whose commits don't wait for the disk.
    private static func run(_ body: @Sendable (Harness) async throws -> Void) async throws {
        try await Harness.run(storage: .sqlite) { settings in
            settings.limits.off = true
            settings.storage.sqlite.durability = .normal
        } _: { harness in
            try await body(harness)
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
