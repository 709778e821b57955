import HTTPTypes
import Hummingbird
import Kernel
import MockServing

/// The testers' page, `/_mock`, and what its buttons do.
struct ConsoleRoutes: Sendable {
    let backend: MockBackend
    let sender: WebhookSender

    func add(to control: RouterGroup<MockContext>) {
        control.get(use: show)
        control.post("scans/{id}/choose", use: choose)
        control.post("scans/{id}/report", use: report)
        control.post("faults/set", use: setFault)
        control.post("faults/clear", use: clearFaults)
        control.get("console.css") { _, _ in PageShell.asset(ConsoleAssets.css, type: "text/css; charset=utf-8") }
        control.get("console.js") { _, _ in
            PageShell.asset(ConsoleAssets.javaScript, type: "text/javascript; charset=utf-8")
        }
    }

    @Sendable private func show(_ request: Request, _: MockContext) async throws -> Response {
        let view = backend.with { state, now in ConsoleView(state, now: now) }
        let isPart = FormFields(request.uri.query ?? "")["part"] == "list"
        return PageShell.response(isPart ? ConsolePage.content(view) : ConsolePage.page(view))
    }

    /// Ends a scan and goes back to the page; one that has ended meanwhile keeps its verdict.
    @Sendable private func choose(_ request: Request, _ context: MockContext) async throws -> Response {
        let id = try Self.scanID(context)
        guard let outcome = try await request.form(in: context)["outcome"].flatMap({ Outcome(rawValue: $0) }) else {
            throw ProviderError.invalidRequest("outcome is unknown")
        }
        do throws(DecisionError) {
            try backend.with { state, now throws(DecisionError) in
                let scan = try state.decide(id, outcome, now: now)
                state.recordOutcome(outcome, of: scan, now: now)
            }
        } catch {
            switch error {
            case .unknownScan: throw error
            case .alreadyDecided: break
            }
        }
        return Self.back
    }

    /// Sends one webhook about a scan as it stands, whole or broken.
    @Sendable private func report(_ request: Request, _ context: MockContext) async throws -> Response {
        let id = try Self.scanID(context)
        let mangle = try await request.form(in: context)["mangle"] ?? ""
        let mangling = WebhookMangling(rawValue: mangle)
        guard mangle.isEmpty || mangling != nil else { throw ProviderError.invalidRequest("mangle is unknown") }
        guard backend.with({ state, _ in state.webhookPlan }) != nil else {
            throw ProviderError.invalidRequest("webhooks are off")
        }
        let random = backend.inputs.randomBytes
        let delivery = try backend.with { state, now throws(DecisionError) in
            try state.takeRecordedWebhook(id, WebhookRequest(mangling: mangling), now: now, random: random)
        }
        _ = await sender.send(delivery, retries: false)
        return Self.back
    }

    @Sendable private func setFault(_ request: Request, _ context: MockContext) async throws -> Response {
        let form = try await request.form(in: context)
        guard let target = form["target"].flatMap({ FaultTarget(rawValue: $0) }),
            let kind = form["fault"].flatMap({ FaultKind(rawValue: $0) }), kind.applies(to: target)
        else { throw ProviderError.invalidRequest("that fault does not strike these calls") }
        let count = form["count"].flatMap { Int($0) }
        guard count != nil || form["count"]?.isEmpty != false, (count ?? 1) > 0 else {
            throw ProviderError.invalidRequest("count is not a positive number")
        }
        let rule = FaultRule(target: target, kind: kind, count: count)
        let random = backend.inputs.randomBytes
        backend.with { state, now in
            state.setFault(rule, random: random)
            state.record(now: now) { $0.fault = rule }
        }
        return Self.back
    }

    @Sendable private func clearFaults(_: Request, _: MockContext) async throws -> Response {
        backend.with { state, now in
            state.clearFaults()
            state.record(now: now) { $0.clearsFaults = true }
        }
        return Self.back
    }

    private static func scanID(_ context: MockContext) throws(DecisionError) -> UUIDBits {
        guard let id = context.parameters.get("id").flatMap({ UUIDBits($0) }) else { throw .unknownScan }
        return id
    }

    static let back = Response(
        status: .seeOther,
        headers: [.location: "/_mock", .cacheControl: "no-store", .contentLength: "0"]
    )
}
