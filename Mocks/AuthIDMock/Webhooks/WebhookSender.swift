import AsyncHTTPClient
import Kernel
import Logging
import MockServing
import NIOCore
import NIOHTTP1

/// Delivers webhooks over HTTP, and notes what the receiver said.
struct WebhookSender: Sendable {
    let backend: MockBackend
    let logger: Logger

    /// How long a receiver has to answer (Standard Webhooks recommends 15 to 30 s; a tester waits less gladly).
    static let timeout = TimeAmount.seconds(5)

    /// The receiver's status, or `nil` when it did not answer.
    func send(_ delivery: WebhookDelivery, retries: Bool) async -> Int? {
        guard let plan = backend.with({ state, _ in state.webhookPlan }) else { return nil }
        let signed = SignedWebhook(delivery, plan, now: backend.now)
        var request = HTTPClientRequest(url: plan.url)
        request.method = .POST
        for header in signed.headers { request.headers.add(name: header.name, value: header.value) }
        request.body = .bytes(ByteBuffer(bytes: signed.body))
        var status: Int?
        do {
            let response = try await HTTPClient.shared.execute(request, timeout: Self.timeout)
            status = Int(response.status.code)
            _ = try? await response.body.collect(upTo: 65_536)
        } catch {
            logger.info("a webhook got no answer", metadata: ["cause": "\(error)"])
        }
        backend.with { [status] state, now in state.finish(delivery, status: status, now: now, retries: retries) }
        return status
    }
}

extension MockBackend {
    func takeDueWebhooks() -> [WebhookDelivery] {
        let random = inputs.randomBytes
        return with { state, now in state.takeDueWebhooks(now: now, random: random) }
    }

    func playDueSteps() -> [TimelineNote] {
        let random = inputs.randomBytes
        return with { state, now in state.playDueSteps(now: now, random: random) }
    }
}
