package import Kernel

/// Something that happened to a scan and that a webhook tells.
package struct WebhookEvent: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Codable, Sendable {
        case created = "scan.created"
        case opened = "scan.opened"
        case decided = "scan.decided"
    }

    /// The same in every delivery of the event.
    package let id: UUIDBits
    package let kind: Kind
    package let scan: UUIDBits
    package let at: Instant
    /// `Status` at that time.
    package let status: ProviderStatus

    /// The value of the header `webhook-id`.
    package var name: String { "msg_\(id)" }

    /// The payload, in the structure that Standard Webhooks recommends.
    var body: String {
        #"{"type":"\#(kind.rawValue)","timestamp":"\#(at.iso8601)","data":{"id":"\#(scan)","status":\#(status.rawValue)}}"#
    }
}

/// One attempt to deliver an event.
package struct WebhookDelivery: Equatable, Sendable {
    package let number: Int
    package let event: WebhookEvent
    /// 1 for the first; repeated when the receiver did not take it.
    package let attempt: Int
    package let due: Instant
    package let mangling: WebhookMangling?

    /// A receiver that can't take it now is asked again after these.
    static let retries: [Duration] = [.seconds(1), .seconds(5)]
}

/// The outcome of a delivery, for testers.
package struct WebhookRecord: Sendable {
    package let delivery: WebhookDelivery
    package internal(set) var sent: Instant?
    /// The receiver's HTTP status; `nil` with `sent` set: the receiver did not answer.
    package internal(set) var status: Int?
}
