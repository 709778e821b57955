package import Kernel

/// Where webhooks go, how they are signed, and how badly they are delivered.
package struct WebhookPlan: Equatable, Sendable {
    /// How a receiver can tell that they are ours.
    package enum Scheme: String, CaseIterable, Codable, Sendable {
        /// Standard Webhooks 1.0.0: `webhook-id`, `webhook-timestamp`, `webhook-signature: v1,…`.
        case standard
        /// `X-Signature`: the HMAC-SHA256 of `timestamp.body` in hexadecimal, beside `X-Timestamp`.
        case hmac
    }

    package var url: String
    package var scheme: Scheme
    /// `whsec_` and base64 for `standard`, any text for `hmac`.
    package var secret: Secret
    /// How often each event is delivered, with one webhook-id.
    package var copies: Int
    /// From the event to the earliest delivery.
    package var delay: Duration
    /// A random time up to this on top of it, so that deliveries overtake one another.
    package var disorder: Duration
    /// The fault of every delivery; `nil` for none.
    package var mangling: WebhookMangling?

    package init(
        url: String,
        secret: Secret,
        scheme: Scheme = .standard,
        copies: Int = 1,
        delay: Duration = .zero,
        disorder: Duration = .zero,
        mangling: WebhookMangling? = nil
    ) {
        self.url = url
        self.secret = secret
        self.scheme = scheme
        self.copies = copies
        self.delay = delay
        self.disorder = disorder
        self.mangling = mangling
    }

    /// The most copies of one event.
    static let maximumCopies = 20
}

/// A deliberate fault of a webhook.
package enum WebhookMangling: String, CaseIterable, Codable, Sendable {
    /// Signed with another secret.
    case forged
    /// No signature.
    case unsigned
    /// Changed after it was signed.
    case tampered
    /// Signed an hour ago.
    case stale
    /// Signed for a time in an hour.
    case early
    /// Signed properly, about a scan that nobody has.
    case foreign
    /// Signed properly, and no JSON.
    case garbage
    /// Signed properly, and 300 KB long.
    case oversized
}
