package import Kernel
package import Operations

/// Verifies the webhooks of one provider.
///
/// The signature is checked before the time, so that only the holder of a key learns that a delivery is stale. The
/// body is not parsed before the signature proves that it is from the provider.
package struct WebhookVerifier: WebhookVerifying {
    private let configuration: WebhookConfiguration
    private let mac: WebhookMAC

    package init(_ configuration: WebhookConfiguration) {
        self.configuration = configuration
        mac = WebhookMAC(
            keys: configuration.keys.map { secret in
                switch configuration.scheme {
                case .standard: WebhookKey.standard(secret) ?? Array(secret.expose().utf8)
                case .hmac: Array(secret.expose().utf8)
                }
            }
        )
    }

    package func read(_ delivery: WebhookDelivery, at now: Instant) -> WebhookReading {
        do throws(WebhookError) {
            let claim =
                switch configuration.scheme {
                case .standard: try standard(WebhookHeaders(delivery: delivery))
                case .hmac(let header): try hmac(header, WebhookHeaders(delivery: delivery))
                }
            return .genuine(try fresh(claim, delivery.body, at: now))
        } catch {
            return .refused(error)
        }
    }

    /// The verified content of a signed delivery.
    private struct Claim {
        let event: Digest256
        let sentAt: Instant?
    }

    /// Standard Webhooks 1.0.0, "Signature scheme": `id.timestamp.body`.
    private func standard(_ headers: WebhookHeaders) throws(WebhookError) -> Claim {
        let id = try WebhookHeaders.eventName(try headers.single("webhook-id"))
        let timestamp = try headers.single("webhook-timestamp")
        let time = try WebhookHeaders.time(timestamp)
        let signatures = try WebhookHeaders.standardSignatures(try headers.single("webhook-signature"))
        _ = try verified(Array("\(id).\(timestamp).".utf8), headers.delivery.body, signatures: signatures)
        return Claim(event: Digest256(sha256: id), sentAt: time)
    }

    private func hmac(
        _ header: WebhookConfiguration.HMACHeader,
        _ headers: WebhookHeaders
    ) throws(WebhookError) -> Claim {
        let text = try headers.single(header.name)
        let timestamp: String?
        let signatures: [[UInt8]]
        switch header.form {
        case .hex:
            signatures = [try WebhookHeaders.hex(text.hasPrefix("sha256=") ? text.dropFirst(7) : text[...])]
            timestamp = try header.timestampHeader.map { name throws(WebhookError) in try headers.single(name) }
        case .base64:
            signatures = [try WebhookHeaders.base64(text)]
            timestamp = try header.timestampHeader.map { name throws(WebhookError) in try headers.single(name) }
        case .stamped:
            let stamped = try WebhookHeaders.stamped(text)
            signatures = stamped.signatures
            timestamp = String(stamped.time)
        }
        let time = try timestamp.map { text throws(WebhookError) in try WebhookHeaders.time(text) }
        let prefix = timestamp.map { Array("\($0).".utf8) } ?? []
        let code = try verified(prefix, headers.delivery.body, signatures: signatures)
        // The scheme signs no event id, so an attacker who replays a delivery could write a new one into a header. The
        // verified code identifies the event instead.
        return Claim(event: code, sentAt: time)
    }

    /// Returns the code under the first key, after checking that one of the keys has signed.
    private func verified(_ prefix: [UInt8], _ body: [UInt8], signatures: [[UInt8]]) throws(WebhookError) -> Digest256 {
        let codes = mac.codes(prefix, body)
        guard WebhookMAC.isAny(of: codes, among: signatures), let first = codes.first else { throw .forged }
        return first
    }

    private func fresh(_ claim: Claim, _ body: [UInt8], at now: Instant) throws(WebhookError) -> WebhookNotice {
        let tolerance = configuration.tolerance
        if let sentAt = claim.sentAt, sentAt < now - tolerance || sentAt > now + tolerance { throw .stale }
        return WebhookNotice(
            event: claim.event,
            sentAt: claim.sentAt,
            // From the tolerance before the current time to the tolerance after it.
            memorable: tolerance + tolerance,
            reference: configuration.reference.text(in: body).map { ProviderReference($0) }
        )
    }
}

extension WebhookVerifier {
    /// Returns a verifier with a key that no sender has, which takes as much work as a verifier for `other`.
    package static func decoy(like other: WebhookConfiguration?, key: Secret) -> WebhookVerifier {
        let scheme = other?.scheme ?? .standard
        let keys = Array(repeating: key, count: max(1, other?.keys.count ?? 1))
        let pointer = other?.reference ?? WebhookReferencePath.root
        return WebhookVerifier(WebhookConfiguration(scheme: scheme, keys: keys, tolerance: .zero, reference: pointer))
    }
}
