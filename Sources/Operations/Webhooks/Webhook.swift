package import Kernel

/// A webhook as it was received.
package struct WebhookDelivery: Sendable {
    /// All values of the header of that name, in any case.
    package let header: @Sendable (String) -> [String]
    /// The body as it was sent: signatures are over these bytes.
    package let body: [UInt8]

    package init(body: [UInt8], header: @escaping @Sendable (String) -> [String]) {
        self.body = body
        self.header = header
    }
}

/// Port: verifies that a webhook is a provider's.
package protocol WebhookVerifying: Sendable {
    /// Reads a delivery; `now` is the wall clock's time, as the sender's timestamps are.
    func read(_ delivery: WebhookDelivery, at now: Instant) -> WebhookReading
}

/// The result of verifying a delivery.
package enum WebhookReading: Sendable, Equatable {
    case genuine(WebhookNotice)
    case refused(WebhookError)
}

/// The reason why a delivery is not trusted.
package enum WebhookError: String, Sendable, CaseIterable {
    /// A header that the scheme needs is missing or repeated.
    case unsigned
    /// A header does not have the scheme's format.
    case malformed
    /// None of the secrets made the signature.
    case forged
    /// Signed by the provider, at a time too far from now.
    case stale
}

/// The content of a genuine webhook: there may be news about a scan, and nothing else.
package struct WebhookNotice: Sendable, Equatable {
    /// Names the event; the same in every delivery of it.
    package let event: Digest256
    /// When it was sent, where that is signed.
    package let sentAt: Instant?
    /// The time in which a repetition could still pass for fresh.
    package let memorable: Duration
    /// The scan that it is about; `nil` when the body names none.
    package let reference: ProviderReference?

    package init(event: Digest256, sentAt: Instant?, memorable: Duration, reference: ProviderReference?) {
        self.event = event
        self.sentAt = sentAt
        self.memorable = memorable
        self.reference = reference
    }
}

/// The outcome of a webhook, as it is counted.
package enum WebhookOutcome: String, Sendable, CaseIterable {
    /// The scan's check was brought forward.
    case hinted
    /// Genuine, and a check is due within the shortest interval anyhow.
    case absorbed
    /// The same event was received before.
    case duplicate
    /// A webhook that was sent later was received before, so this one has no news.
    case reordered
    /// It names a scan that is not in progress here: it has ended, was abandoned, or is another system's.
    case unmatched
    /// Genuine, and the body names no scan.
    case unreadable
    case unsigned
    case malformed
    case forged
    case stale
    /// The body is too long; it was not read.
    case oversized

    /// Whether it was ignored: it is not a webhook of the provider, or it has no news.
    var isRefusal: Bool {
        switch self {
        case .hinted, .absorbed, .unmatched, .unreadable: false
        case .duplicate, .reordered, .unsigned, .malformed, .forged, .stale, .oversized: true
        }
    }

    init(_ refusal: WebhookError) {
        switch refusal {
        case .unsigned: self = .unsigned
        case .malformed: self = .malformed
        case .forged: self = .forged
        case .stale: self = .stale
        }
    }
}
