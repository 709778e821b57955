import FoundationEssentials
import Kernel

// Bodies of the webhooks' and the timeline's part of the control API.

/// `{url, secret, scheme?, copies?, delayMs?, disorderMs?, mangle?}`; what is left out stays as it is.
struct WebhooksRequest: Decodable {
    private let url: String?
    private let secret: String?
    private let scheme: WebhookPlan.Scheme?
    private let change: WebhookChange

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case url, secret, scheme, copies, delayMs, disorderMs, mangle
    }

    init(from decoder: any Decoder) throws {
        let map = try decoder.strictContainer(CodingKeys.self)
        url = try map.decodeIfPresent(String.self, forKey: .url)
        secret = try map.decodeIfPresent(String.self, forKey: .secret)
        scheme = map.contains(.scheme) ? try map.named(WebhookPlan.Scheme.self, .scheme) : nil
        change = try WebhookChange(among: decoder)
    }

    func plan(over current: WebhookPlan?) throws(ProviderError) -> WebhookPlan {
        guard let url = url ?? current?.url else { throw .invalidRequest("url is missing") }
        guard let secret = secret.map({ Secret($0) }) ?? current?.secret, !secret.isEmpty else {
            throw .invalidRequest("secret is missing")
        }
        var plan = current ?? WebhookPlan(url: url, secret: secret)
        plan.url = url
        plan.secret = secret
        plan.scheme = scheme ?? plan.scheme
        return change.applied(to: plan)
    }
}

/// `{mangle?, copies?}`.
struct WebhookRequest: Decodable {
    let mangling: WebhookMangling?
    let copies: Int

    private enum CodingKeys: String, CodingKey, CaseIterable { case mangle, copies }

    init(from decoder: any Decoder) throws {
        let map = try decoder.strictContainer(CodingKeys.self)
        mangling = map.contains(.mangle) ? try map.named(WebhookMangling.self, .mangle) : nil
        copies = min(max(try map.decodeIfPresent(Int.self, forKey: .copies) ?? 1, 1), WebhookPlan.maximumCopies)
    }

    /// One webhook, as the button of a page sends it.
    init(mangling: WebhookMangling?) {
        self.mangling = mangling
        copies = 1
    }
}

/// The events and their receiver, never the secret.
struct WebhooksView: Encodable {
    struct Settings: Encodable {
        let url: String
        let scheme: WebhookPlan.Scheme
        let copies: Int
        let delayMs: Int64
        let disorderMs: Int64
        let mangle: WebhookMangling?
    }

    struct Delivery: Encodable {
        let webhook: String
        let type: String
        let scan: String
        let attempt: Int
        let due: String
        let sent: String?
        let status: Int?
    }

    let settings: Settings?
    let deliveries: [Delivery]

    init(_ plan: WebhookPlan?, deliveries records: [WebhookRecord]) {
        settings = plan.map {
            Settings(
                url: $0.url,
                scheme: $0.scheme,
                copies: $0.copies,
                delayMs: $0.delay.wholeMilliseconds,
                disorderMs: $0.disorder.wholeMilliseconds,
                mangle: $0.mangling
            )
        }
        deliveries = records.map { record in
            Delivery(
                webhook: record.delivery.event.name,
                type: record.delivery.event.kind.rawValue,
                scan: record.delivery.event.scan.description,
                attempt: record.delivery.attempt,
                due: record.delivery.due.iso8601,
                sent: record.sent?.iso8601,
                status: record.status
            )
        }
    }
}

/// The statuses that the receiver answered with; `null` stands for a missing answer.
struct SentView: Encodable {
    let webhook: String
    let statuses: [Int?]
}

struct TimelineView: Encodable {
    struct Note: Encodable {
        let step: Int
        let atMs: Int64
        let text: String
    }

    /// `idle`, `playing` or `over`.
    let state: String
    let step: Int
    let of: Int
    let notes: [Note]

    init(_ run: TimelineRun?) {
        state = run.map { $0.isOver ? "over" : "playing" } ?? "idle"
        step = run.map { min($0.position + 1, $0.timeline.steps.count) } ?? 0
        of = run?.timeline.steps.count ?? 0
        notes =
            (run?.notes.newestFirst).map(Array.init)?.reversed().map {
                Note(step: $0.step, atMs: $0.at.wholeMilliseconds, text: $0.text)
            } ?? []
    }
}

/// Where webhooks may be sent.
package enum WebhookAddress {
    /// Only to this machine unless an option says otherwise.
    ///
    /// A caller of the control API could make the mock call services of the network behind it (OWASP, Server Side
    /// Request Forgery Prevention).
    package static func isAllowed(_ text: String, remote: Bool) -> Bool {
        guard let parts = URLComponents(string: text), let host = parts.host?.lowercased(), !host.isEmpty,
            parts.scheme == "http" || parts.scheme == "https", parts.user == nil
        else { return false }
        return remote || host == "localhost" || host == "::1" || host == "[::1]" || isLoopback(host)
    }

    private static func isLoopback(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return parts.count == 4 && parts.first == 127 && !parts.contains(nil)
    }
}
