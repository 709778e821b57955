package import Kernel

/// A received webhook.
package struct WebhookDelivery: Sendable {
    /// Returns all values of a header, whose name is compared without case.
    package let header: @Sendable (String) -> [String]
    /// The body as it was sent, because signatures cover these bytes.
    package let body: [UInt8]

    package init(body: [UInt8], header: @escaping @Sendable (String) -> [String]) {
        self.body = body
        self.header = header
    }
}

/// Port: verifies that a provider sent a webhook.
package protocol WebhookVerifying: Sendable {
    /// Reads and verifies a webhook at the wall-clock time `now`, as the sender's timestamps are.
    func read(_ delivery: WebhookDelivery, at now: Instant) -> WebhookReading
}

/// The result of verifying a webhook.
package enum WebhookReading: Sendable, Equatable {
    case genuine(WebhookNotice)
    case refused(WebhookError)
}

/// The reason why a webhook is not trusted.
package enum WebhookError: String, Sendable, CaseIterable {
    /// A header that the signature scheme needs is missing or repeated.
    case unsigned
    /// A header does not have the signature scheme's format.
    case malformed
    /// The signature was made with none of the configured secrets.
    case forged
    /// The signature is valid, but its time is too far from now.
    case stale
}

/// The content of a genuine webhook, which only says that a scan may have changed.
package struct WebhookNotice: Sendable, Equatable {
    /// The event's id, the same in every delivery of the event.
    package let event: Digest256
    /// The time of sending, if the signature covers it.
    package let sentAt: Instant?
    /// How long a repetition of the webhook would still be accepted as fresh.
    package let memorable: Duration
    /// The scan that the webhook is about; `nil` when the body names none.
    package let reference: ProviderReference?

    package init(event: Digest256, sentAt: Instant?, memorable: Duration, reference: ProviderReference?) {
        self.event = event
        self.sentAt = sentAt
        self.memorable = memorable
        self.reference = reference
    }
}

/// The outcome of a webhook, for its counter.
package enum WebhookOutcome: String, Sendable, CaseIterable {
    /// The scan's check was brought forward.
    case hinted
    /// The webhook is genuine, but a check is due within the shortest interval anyway.
    case absorbed
    /// The same event was received before.
    case duplicate
    /// A webhook about the scan that was sent later was received before.
    case reordered
    /// The scan is not in progress here: it has ended, was abandoned, or belongs to another system.
    case unmatched
    /// The webhook is genuine, but its body names no scan.
    case unreadable
    case unsigned
    case malformed
    case forged
    case stale
    /// The body is too long, and was not read.
    case oversized

    /// Whether the webhook was ignored, because it is not genuine or says nothing new.
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
