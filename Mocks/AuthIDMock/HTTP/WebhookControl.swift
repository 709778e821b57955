import HTTPTypes
import Hummingbird
import Kernel
import MockServing

/// `/_mock/webhooks` and `/_mock/timeline`: what the mock does by itself.
struct WebhookControl: Sendable {
    let backend: MockBackend
    let sender: WebhookSender

    func add(to control: RouterGroup<MockContext>) {
        control.get("webhooks", use: show)
        control.put("webhooks", use: set)
        control.delete("webhooks", use: clear)
        control.post("scans/{id}/webhook", use: send)
        control.get("timeline", use: showTimeline)
        control.put("timeline", use: play)
        control.delete("timeline", use: stop)
    }

    @Sendable private func show(_ request: Request, _: MockContext) async throws -> Response {
        let limit = try FormFields(request.uri.query ?? "").limit(default: 100)
        return try JSONReply(
            backend.with { state, _ in
                WebhooksView(state.webhookPlan, deliveries: state.listDeliveries(limit: limit))
            }
        ).response
    }

    @Sendable private func set(_ request: Request, _ context: MockContext) async throws -> Response {
        let command = try await request.json(WebhooksRequest.self, in: context)
        let plan = try command.plan(over: backend.with { state, _ in state.webhookPlan })
        guard
            WebhookAddress.isAllowed(
                plan.url,
                remote: backend.with { state, _ in state.configuration.allowsRemoteWebhooks }
            )
        else {
            throw ProviderError.invalidRequest("url is not an http address of this machine: see --allow-remote")
        }
        let view = backend.with { state, now in
            state.setWebhooks(plan)
            state.record(now: now) { $0.webhooks = WebhookChange(of: plan) }
            return WebhooksView(plan, deliveries: [])
        }
        return try JSONReply(view).response
    }

    @Sendable private func clear(_: Request, _: MockContext) async throws -> Response {
        backend.with { state, _ in state.setWebhooks(nil) }
        return Response(status: .noContent)
    }

    /// Delivers one webhook about the scan as it stands, and answers with what the receiver said.
    @Sendable private func send(_ request: Request, _ context: MockContext) async throws -> Response {
        guard let id = context.parameters.get("id").flatMap({ UUIDBits($0) }) else { throw DecisionError.unknownScan }
        let command = try await request.json(WebhookRequest.self, in: context)
        let random = backend.inputs.randomBytes
        guard backend.with({ state, _ in state.webhookPlan }) != nil else {
            throw ProviderError.invalidRequest("webhooks are off: PUT /_mock/webhooks turns them on")
        }
        let delivery = try backend.with { state, now throws(DecisionError) in
            try state.takeRecordedWebhook(id, command, now: now, random: random)
        }
        var statuses: [Int?] = []
        for _ in 0..<command.copies { statuses.append(await sender.send(delivery, retries: false)) }
        return try JSONReply(SentView(webhook: delivery.event.name, statuses: statuses)).response
    }

    @Sendable private func showTimeline(_: Request, _: MockContext) async throws -> Response {
        try JSONReply(backend.with { state, _ in TimelineView(state.run) }).response
    }

    /// Takes a scenario file, in YAML or in JSON, and plays its timeline from now on.
    @Sendable private func play(_ request: Request, _ context: MockContext) async throws -> Response {
        let text = String(buffer: try await request.body.collect(upTo: context.maxUploadSize))
        let plan: MockPlan
        do { plan = try MockPlan(yaml: text) } catch { throw ProviderError.invalidRequest(error.text) }
        guard !plan.timeline.steps.isEmpty else { throw ProviderError.invalidRequest("it has no timeline") }
        let random = backend.inputs.randomBytes
        let view = backend.with { state, now in
            state.apply(plan, random: random)
            state.play(plan.timeline, now: now)
            return TimelineView(state.run)
        }
        return try JSONReply(view).response
    }

    @Sendable private func stop(_: Request, _: MockContext) async throws -> Response {
        backend.with { state, _ in state.stopPlaying() }
        return Response(status: .noContent)
    }
}
