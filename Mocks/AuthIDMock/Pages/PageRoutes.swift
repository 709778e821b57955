import HTTPTypes
import Hummingbird
import Kernel
import MockServing

/// The pages that people see, at the addresses that authID's links have.
struct PageRoutes: Sendable {
    let backend: MockBackend

    func add(to router: Router<MockContext>) {
        router.get("/", use: show)
        router.post("/", use: decide)
        router.get("/_scan/state", use: state)
        router.get("/_scan/page.css") { _, _ in PageShell.asset(PageStyle.css, type: "text/css; charset=utf-8") }
        router.get("/_scan/page.js") { _, _ in
            PageShell.asset(PageScript.javaScript, type: "text/javascript; charset=utf-8")
        }
        router.get("/_scan/icon.svg") { _, _ in PageShell.asset(PageArt.icon, type: "image/svg+xml") }
    }

    @Sendable private func show(_ request: Request, _: MockContext) async throws -> Response {
        guard let query = request.uri.query, !query.isEmpty else { return PageShell.response(ResultPage.welcome) }
        let link = PageLink(FormFields(query))
        let (page, status) = backend.with { state, now -> (HTML, HTTPResponse.Status) in
            let number = state.requestLog.begin(.page, at: now)
            guard let scan = link.flatMap({ state.scan($0.id, kind: $0.kind, secret: $0.secret) }) else {
                state.requestLog.finish(number, status: 404)
                return (ResultPage.invalidLink, .notFound)
            }
            state.requestLog.finish(number, status: 200)
            state.markOpened(scan.id, now: now)
            if let verdict = scan.verdict(at: now) { return (ResultPage.page(scan, verdict.outcome), .ok) }
            let name = state.account(scan.accountNumber)?.shownName ?? scan.accountNumber
            return (ScanPage.page(scan, name: name, now: now), .ok)
        }
        return PageShell.response(page, status: status)
    }

    /// A button was pressed.
    ///
    /// Answers with a redirect to the page, which shows the result: reloading it sends nothing.
    @Sendable private func decide(_ request: Request, _ context: MockContext) async throws -> Response {
        let fields = try await request.form(in: context)
        let outcome = fields["outcome"].flatMap { Outcome(rawValue: $0) }
        let link = PageLink(fields)
        let scan = backend.with { state, now -> Scan? in
            let number = state.requestLog.begin(.decide, at: now)
            let scan = link.flatMap { state.scan($0.id, kind: $0.kind, secret: $0.secret) }
            guard let scan, let outcome else {
                state.requestLog.finish(number, status: 404)
                return nil
            }
            state.requestLog.finish(number, status: 303)
            // A scan that has ended keeps its verdict; the page tells the person which one.
            if (try? state.decide(scan.id, outcome, now: now)) != nil {
                state.recordOutcome(outcome, of: scan, now: now)
            }
            return scan
        }
        guard let scan else { return PageShell.response(ResultPage.invalidLink, status: .notFound) }
        return Response(
            status: .seeOther,
            headers: [
                .location: "/?\(PageLink(scan).query)", .cacheControl: "no-store", .contentLength: "0",
            ]
        )
    }

    private struct StateBody: Encodable {
        let status: String
    }

    /// The data that the page's script requests while it is open.
    @Sendable private func state(_ request: Request, _: MockContext) async throws -> Response {
        let link = PageLink(FormFields(request.uri.query ?? ""))
        let status = backend.with { state, now in
            link.flatMap { state.scan($0.id, kind: $0.kind, secret: $0.secret) }
                .map { $0.verdict(at: now)?.outcome.status ?? .pending }
        }
        guard let status else { return JSONReply(.transactionUnknown).response }
        return try JSONReply(StateBody(status: status.name)).response
    }
}
