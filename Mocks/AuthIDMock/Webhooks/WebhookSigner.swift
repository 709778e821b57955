import Crypto
import FoundationEssentials
import Kernel

/// A delivery as it goes over the wire.
struct SignedWebhook: Sendable {
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    /// Signs `delivery` at `now`, or does to it what its mangling says.
    init(_ delivery: WebhookDelivery, _ plan: WebhookPlan, now: Instant) {
        let id = delivery.event.name
        let timestamp = String(Self.time(of: delivery.mangling, now).seconds)
        let signed = Self.signedBody(of: delivery)
        let key = delivery.mangling == .forged ? Secret("whsec_bm90IHRoZSBzZWNyZXQgb2YgYW55Ym9keQ==") : plan.secret
        var headers = [("Content-Type", "application/json")]
        switch plan.scheme {
        case .standard:
            let mac = Self.mac("\(id).\(timestamp).", signed, key: Self.keyBytes(key))
            headers += [("webhook-id", id), ("webhook-timestamp", timestamp)]
            headers += [("webhook-signature", "v1,\(Data(mac).base64EncodedString())")]
        case .hmac:
            let mac = Self.mac("\(timestamp).", signed, key: Array(key.expose().utf8))
            headers += [("X-Timestamp", timestamp), ("X-Signature", Self.hex(mac))]
        }
        if delivery.mangling == .unsigned { headers.removeAll { $0.0.lowercased().hasSuffix("signature") } }
        self.headers = headers
        body = delivery.mangling == .tampered ? signed + Array(" ".utf8) : signed
    }

    private static func time(of mangling: WebhookMangling?, _ now: Instant) -> Instant {
        switch mangling {
        case .stale: now - .seconds(3600)
        case .early: now + .seconds(3600)
        case .forged, .unsigned, .tampered, .foreign, .garbage, .oversized, nil: now
        }
    }

    private static func signedBody(of delivery: WebhookDelivery) -> [UInt8] {
        switch delivery.mangling {
        case .garbage: return Array("<html><body>Service temporarily moved</body></html>".utf8)
        case .oversized: return Array(delivery.event.body.utf8) + Array(repeating: UInt8(ascii: " "), count: 300_000)
        case .foreign:
            let stranger = UUIDBits(high: ~delivery.event.scan.high, low: delivery.event.scan.low)
            return Array(delivery.event.body.replacing("\(delivery.event.scan)", with: "\(stranger)").utf8)
        case .forged, .unsigned, .tampered, .stale, .early, nil: return Array(delivery.event.body.utf8)
        }
    }

    /// The secret's bytes: behind `whsec_` they are base64.
    private static func keyBytes(_ secret: Secret) -> [UInt8] {
        let text = secret.expose()
        guard text.hasPrefix("whsec_"), let bytes = Data(base64Encoded: String(text.dropFirst(6))) else {
            return Array(text.utf8)
        }
        return Array(bytes)
    }

    private static func mac(_ prefix: String, _ body: [UInt8], key: [UInt8]) -> [UInt8] {
        var mac = HMAC<SHA256>(key: SymmetricKey(data: key))
        mac.update(data: Array(prefix.utf8))
        mac.update(data: body)
        return Array(mac.finalize())
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 0xF, radix: 16) }.joined()
    }
}
