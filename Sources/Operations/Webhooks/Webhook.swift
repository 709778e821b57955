package import Kernel

/// A webhook as it came in.
package struct WebhookDelivery: Sendable {
    /// All values of the header of that name, in whatever case it is written.
    package let header: @Sendable (String) -> [String]
    /// The body as it was sent: signatures are over these bytes.
    package let body: [UInt8]

    package init(body: [UInt8], header: @escaping @Sendable (String) -> [String]) {
        self.body = body
        self.header = header
    }
}

/// Port: tells a provider's webhook from what others send.
package protocol WebhookVerifying: Sendable {
    /// Reads a delivery; `now` is the wall clock's time, as the sender's timestamps are.
    func read(_ delivery: WebhookDelivery, at now: Instant) -> WebhookReading
}

/// What a delivery turned out to be.
package enum WebhookReading: Sendable, Equatable {
    case genuine(WebhookNotice)
    case refused(WebhookError)
}

/// Why a delivery is not believed.
package enum WebhookError: String, Sendable, CaseIterable {
    /// A header that the scheme needs is missing, or is there twice.
    case unsigned
    /// A header is there and can't be what the scheme says.
    case malformed
    /// None of the secrets made the signature.
    case forged
    /// Signed by the provider, at a time too far from now.
    case stale
}

/// What a genuine webhook tells: that there may be news about a scan, and nothing else.
package struct WebhookNotice: Sendable, Equatable {
    /// Names the event; the same in every delivery of it.
    package let event: Digest256
    /// When it was sent, where that is signed.
    package let sentAt: Instant?
    /// How long a repetition could still pass for fresh.
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

/// What became of a webhook: what is counted.
package enum WebhookOutcome: String, Sendable, CaseIterable {
    /// The scan's check was brought forward.
    case hinted
    /// Genuine, and a check is due within the shortest interval anyhow.
    case absorbed
    /// The same event was there before.
    case duplicate
    /// A webhook that was sent later came earlier: what this one tells is known.
    case reordered
    /// About no scan that is under way here: it has ended, was left behind, or is somebody else's.
    case unmatched
    /// Genuine, and the body names no scan.
    case unreadable
    case unsigned
    case malformed
    case forged
    case stale
    /// Longer than a body may be; nothing of it was looked at.
    case oversized

    /// Whether it was not heeded: what is no webhook of the provider's, and what tells nothing new.
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
