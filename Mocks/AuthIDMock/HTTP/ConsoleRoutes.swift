import HTTPTypes
import Hummingbird
import Kernel
import MockServing

/// The testers' page, `/_mock`, and what its buttons do.
struct ConsoleRoutes: Sendable {
    let backend: MockBackend

    func add(to control: RouterGroup<MockContext>) {
        control.get(use: show)
        control.post("scans/{id}/choose", use: choose)
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
        guard let id = context.parameters.get("id").flatMap({ UUIDBits($0) }) else { throw DecisionError.unknownScan }
        guard let outcome = try await request.form(in: context)["outcome"].flatMap({ Outcome(rawValue: $0) }) else {
            throw ProviderError.invalidRequest("outcome is unknown")
        }
        do throws(DecisionError) {
            _ = try backend.with { state, now throws(DecisionError) in try state.decide(id, outcome, now: now) }
        } catch {
            switch error {
            case .unknownScan: throw error
            case .alreadyDecided: break
            }
        }
        return Self.back
    }

    @Sendable private func clearFaults(_: Request, _: MockContext) async throws -> Response {
        backend.with { state, _ in state.clearFaults() }
        return Self.back
    }

    private static let back = Response(
        status: .seeOther,
        headers: [.location: "/_mock", .cacheControl: "no-store", .contentLength: "0"]
    )
}
