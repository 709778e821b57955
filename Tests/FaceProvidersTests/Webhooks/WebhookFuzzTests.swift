import Foundation
import Fuzzing
import Kernel
import Operations
import Testing

@testable import FaceProviders

/// A seeded mutator against the webhook parser: whatever comes, it answers, and believes only what was signed.
///
/// `FUZZ_INPUTS` is how many inputs each test makes (50,000), `FUZZ_SEED` where they begin; a failure prints its input.
/// `make fuzz` runs ten million of each.
@Suite struct WebhookFuzzTests {
    private static let inputs = FuzzRun.inputs
    private static let seed = FuzzRun.seed

    private static let corpus: [SampleWebhook] = [
        .standard(), .standard(id: "msg_2", #"{"data":{"id":42}}"#), .standard(id: "m", "{}"), .standard(id: "n", ""),
        .standard(id: "msg_3", secrets: [SampleWebhook.secret, SampleWebhook.other]),
        .standard(id: "msg_4", at: SampleWebhook.now - .seconds(300)),
        .standard(id: "old", at: SampleWebhook.now - .seconds(3600)),
        .standard(id: "deep", #"{"data":{"id":[{"a":[[[["x"]]]]}]}}"#),
    ]

    // T-057
    @Test func `a changed delivery is refused, whatever was changed`() throws {
        var random = Mutator(webhooks: Self.seed)
        let verifier = WebhookVerifier.standard(SampleWebhook.secret)
        let signed = Set(Self.corpus.map(Self.signedText))
        var believed = 0
        for number in 0..<Self.inputs {
            var sample = random.pick(Self.corpus)
            for _ in 0...random.below(3) { random.mutate(&sample) }
            guard case .genuine(let notice) = verifier.read(sample) else { continue }
            believed += 1
            // A change may have hit nothing that counts (another version's signature, the case of a name).
            try #require(signed.contains(Self.signedText(sample)), "input \(number): \(sample)")
            try #require(notice.sentAt.map { abs(($0 - SampleWebhook.now) / .seconds(1)) <= 300 } == true)
        }
        #expect(believed < Self.inputs / 2, "the mutator changes things")
    }

    @Test func `a signed body of any form gives an id or none`() throws {
        var random = Mutator(webhooks: Self.seed &+ 1)
        let verifier = WebhookVerifier.standard(SampleWebhook.secret)
        var found = 0
        for number in 0..<Self.inputs {
            var body = random.pick(Self.corpus).body
            for _ in 0...random.below(4) { random.mutate(&body) }
            var sample = SampleWebhook.standard(id: "msg_\(number)")
            sample.body = body
            let code = SampleWebhook.mac(
                "msg_\(number).\(SampleWebhook.now.seconds).",
                body,
                key: WebhookKey.standard(Secret(SampleWebhook.secret)) ?? []
            )
            sample["webhook-signature"] = "v1,\(Data(code).base64EncodedString())"
            let notice = try #require(verifier.notice(sample), "input \(number): it is signed")
            guard let reference = notice.reference else { continue }
            found += 1
            try #require((1...256).contains(reference.text.utf8.count), "input \(number)")
        }
        #expect(found > 0 && found < Self.inputs)
    }

    // T-057
    @Test func `a changed header of each HMAC form is refused`() throws {
        var random = Mutator(webhooks: Self.seed &+ 2)
        let key = Array("a key of the provider".utf8)
        let body = Array(#"{"id":"scan-1"}"#.utf8)
        let time = "\(SampleWebhook.now.seconds)"
        let stamped = SampleWebhook.hex(SampleWebhook.mac(time + ".", body, key: key))
        let forms: [(WebhookConfiguration.HMACHeader.Form, String)] = [
            (.hex, SampleWebhook.hex(SampleWebhook.mac("", body, key: key))),
            (.base64, Data(SampleWebhook.mac("", body, key: key)).base64EncodedString()),
            (.stamped, "t=\(time),v1=\(stamped)"),
        ]
        let verifiers = forms.map { WebhookVerifier.hmac($0.0) }
        for number in 0..<Self.inputs {
            let form = number % forms.count
            var sample = SampleWebhook(body: body)
            var text = Array(forms[form].1.utf8)
            for _ in 0...random.below(2) { random.mutate(&text) }
            sample["X-Signature"] = String(decoding: text, as: UTF8.self)
            guard case .genuine = verifiers[form].read(sample) else { continue }
            // Case of digits, a prefix, a repeated part: what is left must still hold the code.
            let kept = (sample["X-Signature"] ?? "").lowercased()
            let isThere = form == 1 ? kept == forms[1].1.lowercased() : kept.contains(form == 0 ? forms[0].1 : stamped)
            try #require(isThere, "input \(number): \(sample["X-Signature"] ?? "")")
        }
    }

    /// Returns what the key vouches for in it.
    private static func signedText(_ sample: SampleWebhook) -> [UInt8] {
        let delivery = sample.delivery
        let head = ["webhook-id", "webhook-timestamp"].map { delivery.header($0).joined(separator: "\n") }
        return Array(head.joined(separator: ".").utf8) + [UInt8(ascii: ".")] + sample.body
    }
}

extension Mutator {
    /// The generator of texts for webhooks.
    fileprivate init(webhooks seed: UInt64) {
        self.init(
            seed: seed,
            tokens: [
                "{", "}", "[", "]", "\"", ":", ",", "\\u0000", "\\ud800", "null", "1e999", "-0", "data", "id", "v1,",
                "v1=", "t=", ".", " ", "\u{0}", "\u{feff}", "999999999999", "sha256=", "=", "/", "é",
            ]
        )
    }

    fileprivate mutating func mutate(_ sample: inout SampleWebhook) {
        switch below(5) {
        case 0: mutate(&sample.body)
        case 1 where !sample.headers.isEmpty: sample.headers.remove(at: below(sample.headers.count))
        case 2 where !sample.headers.isEmpty: sample.headers.append(pick(sample.headers))
        case 3 where sample.headers.count > 1:
            let (one, other) = (below(sample.headers.count), below(sample.headers.count))
            (sample.headers[one].value, sample.headers[other].value) = (
                sample.headers[other].value, sample.headers[one].value
            )
        default:
            guard !sample.headers.isEmpty else { return mutate(&sample.body) }
            let index = below(sample.headers.count)
            var value = Array(sample.headers[index].value.utf8)
            mutate(&value)
            sample.headers[index].value = String(decoding: value, as: UTF8.self)
        }
    }
}
