import Crypto
import Foundation
import Kernel
import Operations

@testable import FaceProviders

/// A delivery that a sender with the key would make, and what can be done to it.
struct SampleWebhook {
    static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    static let other = "whsec_" + Data(repeating: 7, count: 32).base64EncodedString()
    static let now = Instant(seconds: 1_800_000_000)

    var headers: [(name: String, value: String)] = []
    var body: [UInt8]

    /// Standard Webhooks, signed with each of `secrets`.
    static func standard(
        id: String = "msg_1",
        at time: Instant = now,
        _ body: String = #"{"type":"scan.decided","data":{"id":"scan-1"}}"#,
        secrets: [String] = [secret]
    ) -> SampleWebhook {
        var sample = SampleWebhook(body: Array(body.utf8))
        let signatures = secrets.map { secret in
            "v1,"
                + Data(mac("\(id).\(time.seconds).", sample.body, key: WebhookKey.standard(Secret(secret)) ?? []))
                .base64EncodedString()
        }
        sample.headers = [
            ("webhook-id", id), ("webhook-timestamp", "\(time.seconds)"),
            ("webhook-signature", signatures.joined(separator: " ")),
        ]
        return sample
    }

    static func mac(_ prefix: String, _ body: [UInt8], key: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(prefix.utf8) + body, using: SymmetricKey(data: key)))
    }

    static func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

    subscript(name: String) -> String? {
        get { headers.first { $0.name == name }?.value }
        set {
            headers.removeAll { $0.name == name }
            if let newValue { headers.append((name, newValue)) }
        }
    }

    var delivery: WebhookDelivery {
        WebhookDelivery(body: body) { [headers] name in
            headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        }
    }
}

extension WebhookVerifier {
    static func standard(_ secrets: String..., tolerance: Duration = .seconds(300)) -> WebhookVerifier {
        WebhookVerifier(
            WebhookConfiguration(
                scheme: .standard,
                keys: secrets.map { Secret($0) },
                tolerance: tolerance,
                reference: WebhookReferencePath("/data/id") ?? .root
            )
        )
    }

    static func hmac(
        _ form: WebhookConfiguration.HMACHeader.Form,
        timestampHeader: String? = nil,
        key: String = "a key of the provider"
    ) -> WebhookVerifier {
        WebhookVerifier(
            WebhookConfiguration(
                scheme: .hmac(.init(name: "X-Signature", form: form, timestampHeader: timestampHeader)),
                keys: [Secret(key)],
                tolerance: .seconds(300),
                reference: WebhookReferencePath("/id") ?? .root
            )
        )
    }

    func read(_ sample: SampleWebhook, at now: Instant = SampleWebhook.now) -> WebhookReading {
        read(sample.delivery, at: now)
    }

    func notice(_ sample: SampleWebhook, at now: Instant = SampleWebhook.now) -> WebhookNotice? {
        if case .genuine(let notice) = read(sample, at: now) { notice } else { nil }
    }
}

extension WebhookReferencePath {
    /// Reads `""` or `/a/b/0`; `nil` for anything else.
    init?(_ text: String) {
        guard let pointer = JSONPointer(text) else { return nil }
        self.init(pointer)
    }
}
