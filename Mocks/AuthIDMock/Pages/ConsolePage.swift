import Kernel

/// The contents of a tester's page: the scans that wait for an outcome, the decided scans, and the active settings.
struct ConsoleView: Sendable {
    struct Row: Sendable {
        let scan: Scan
        let name: String
        let email: String
    }

    let live: [Row]
    let ended: [Row]
    let faults: [(rule: FaultRule, strikes: Int)]
    let webhooks: WebhookPlan?
    let newestDelivery: WebhookRecord?
    let run: TimelineRun?
    let recording: Recording?
    let now: Instant

    private static let shownLive = 50
    private static let shownEnded = 15

    init(_ state: MockState, now: Instant) {
        let rows = state.listScans(limit: 500).map { scan in
            let account = state.account(scan.accountNumber)
            return Row(scan: scan, name: account?.shownName ?? scan.accountNumber, email: account?.email ?? "")
        }
        live = Array(rows.filter { $0.scan.verdict(at: now) == nil }.prefix(Self.shownLive))
        ended = Array(rows.filter { $0.scan.verdict(at: now) != nil }.prefix(Self.shownEnded))
        faults = state.listFaults()
        webhooks = state.webhookPlan
        newestDelivery = state.listDeliveries(limit: 1).first
        run = state.run
        recording = state.recording
        self.now = now
    }
}

/// `/_mock`: a tester's page with the live scans and a button for each way that one can end.
///
/// It works without JavaScript: buttons are forms, and the page loads itself again.
enum ConsolePage {
    static func page(_ view: ConsoleView) -> HTML {
        PageShell.page(
            title: "Live scans",
            head: """
                <noscript><meta http-equiv="refresh" content="3"></noscript>
                <link rel="stylesheet" href="/_mock/console.css">
                <script src="/_mock/console.js" defer></script>
                """,
            layout: .console,
            content: "<div id=\"console\">\(content(view))</div>\n\(ConsoleTools.faults)"
        )
    }

    /// The part that changes.
    static func content(_ view: ConsoleView) -> HTML {
        """
        <div class="top"><h1>Live scans</h1><p class="lead" role="status">\(count(view.live.count))</p></div>
        \(ConsoleTools.recording(view.recording))
        \(switches(view))
        \(view.live.isEmpty ? empty : HTML(joining: view.live.map { card($0, view) }))
        \(view.ended.isEmpty ? "" : ended(view))
        """
    }

    private static func count(_ number: Int) -> String {
        switch number {
        case 0: "None is waiting"
        case 1: "One is waiting for its outcome"
        default: "\(number) are waiting for their outcome"
        }
    }

    private static let empty: HTML = """
        <section class="empty">\(PageArt.face)<p>Start a sign-in and open its link: the scan shows up here by itself.</p></section>
        """

    // MARK: Scans

    private static func card(_ row: ConsoleView.Row, _ view: ConsoleView) -> HTML {
        let scan = row.scan
        let left = (scan.deadline - view.now).secondsRoundedUp
        let others = HTML(
            joining: Outcome.allCases.filter { $0 != .accept }.map { button($0, for: scan, look: "choice") }
        )
        return """
            <section class="scan" aria-label="\(title(scan.kind)) of \(row.name)">
            <div class="who"><h2>\(row.name)</h2><p class="lead">\(row.email.isEmpty ? scan.accountNumber : row.email)</p></div>
            <p class="tags"><span class="tag">\(title(scan.kind))</span>\
            <span class="tag \(scan.opened == nil ? "" : "on")">\(scan.opened == nil ? "Not opened yet" : "Page is open")</span>\
            \(planned(scan))<span class="tag time" data-left="\(left)">\(PageArt.clock)<span>\(clockFace(left))</span></span></p>
            <form method="post" action="/_mock/scans/\(scan.id.description)/choose">
            \(button(.accept, for: scan, look: "primary"))
            <div class="choices">
            \(others)
            </div>
            </form>
            \(view.webhooks == nil ? "" : ConsoleTools.report(scan, name: row.name))
            </section>
            """
    }

    private static func planned(_ scan: Scan) -> HTML {
        guard let planned = scan.planned else { return "" }
        return "<span class=\"tag\">Will end by itself: \(PageText.button(planned.outcome).label)</span>"
    }

    private static func button(_ outcome: Outcome, for scan: Scan, look: String) -> HTML {
        """
        <button class="\(look)" id="\(scan.id.description)-\(outcome.rawValue)" name="outcome" \
        value="\(outcome.rawValue)">\(PageText.button(outcome).label)</button>
        """
    }

    private static func ended(_ view: ConsoleView) -> HTML {
        let rows = view.ended.map { row -> HTML in
            let outcome = row.scan.verdict(at: view.now)?.outcome ?? .expire
            let ago = (view.now - (row.scan.verdict(at: view.now)?.at ?? view.now)).secondsRoundedUp
            return """
                <li><span class="dot \(tone(outcome))"></span><span class="name">\(row.name)</span>\
                <span class="how">\(PageText.button(outcome).label)</span><span class="when">\(age(ago))</span></li>
                """
        }
        return """
            <section class="ended"><h2>Ended</h2><ul>
            \(HTML(joining: rows))
            </ul></section>
            """
    }

    // MARK: What is switched on

    private static func switches(_ view: ConsoleView) -> HTML {
        var lines: [HTML] = view.faults.map { fault in
            """
            <li><strong>\(fault.rule.kind.rawValue)</strong> strikes <strong>\(fault.rule.target.rawValue)</strong> calls, \
            \(fault.strikes) so far</li>
            """
        }
        if let plan = view.webhooks {
            let last = view.newestDelivery.map { HTML.answer($0) } ?? ""
            let wrong = plan.mangling.map { " (\($0.rawValue))" } ?? ""
            lines.append("<li>Webhooks\(wrong) go to <code>\(plan.url)</code>\(last)</li>")
        }
        if let run = view.run {
            let newest = Array(run.notes.newestFirst.prefix(1)).first?.text ?? ""
            let place = "\(min(run.position + 1, run.timeline.steps.count)) of \(run.timeline.steps.count)"
            lines.append("<li>Timeline, step \(place): \(newest)</li>")
        }
        guard !lines.isEmpty else { return "" }
        let clear: HTML =
            view.faults.isEmpty
            ? ""
            : """
            <form method="post" action="/_mock/faults/clear"><button class="quiet" id="clear">End all faults</button></form>
            """
        return """
            <section class="switches" aria-label="Switched on"><ul>
            \(HTML(joining: lines))
            </ul>\(clear)</section>
            """
    }

    // MARK: Words

    private static func title(_ kind: ScanKind) -> String {
        switch kind {
        case .login: "Sign-in"
        case .enrolment: "Enrolment"
        }
    }

    private static func tone(_ outcome: Outcome) -> String {
        switch outcome {
        case .accept: "good"
        case .rejectMatch, .rejectLiveness, .rejectBoth, .error: "bad"
        case .decline, .cancel, .expire: "calm"
        }
    }

    private static func clockFace(_ seconds: Int64) -> String {
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }

    private static func age(_ seconds: Int64) -> String {
        seconds < 60 ? "\(seconds) s ago" : seconds < 3600 ? "\(seconds / 60) min ago" : "\(seconds / 3600) h ago"
    }
}

extension HTML {
    /// The receiver's answer to the newest webhook.
    fileprivate static func answer(_ record: WebhookRecord) -> HTML {
        guard record.sent != nil else { return ", the newest is on its way" }
        guard let status = record.status else { return ", no answer to the newest" }
        return ", answered \(status)"
    }
}
