import Kernel

/// The page on which a person would show their face: here they choose how that ends.
enum ScanPage {
    static func page(_ scan: Scan, name: String, now: Instant) -> HTML {
        let left = (scan.deadline - now).secondsRoundedUp
        let total = scan.timeout.secondsRoundedUp
        return PageShell.page(
            title: title(scan.kind),
            head: """
                <noscript><meta http-equiv="refresh" content="\(left)"></noscript>
                <script src="/_scan/page.js" defer></script>
                """,
            content: """
                <div class="layout">
                <section class="head">
                <h1>\(title(scan.kind))</h1>
                <p class="lead">\(purpose(scan.kind)) <strong>\(name)</strong></p>
                <div class="time" id="time" data-left="\(left)">
                <p>\(PageArt.clock)<span><span id="time-left">\(clockFace(left))</span> left</span></p>
                <progress id="time-bar" max="\(total)" value="\(min(left, total))" aria-label="Time left"></progress>
                </div>
                </section>
                <section class="stage" aria-label="Camera">
                <div class="finder" id="finder">
                \(PageArt.face)
                <video id="preview" playsinline muted hidden aria-label="Camera preview"></video>
                </div>
                <p class="hint" id="camera-note" role="status">No picture is needed here.</p>
                <button class="quiet" type="button" id="camera" hidden>Turn on the camera</button>
                </section>
                \(form(scan))
                </div>
                """
        )
    }

    private static func form(_ scan: Scan) -> HTML {
        let link = PageLink(scan)
        let others = HTML(joining: Outcome.allCases.filter { $0 != .accept }.map(button))
        return """
            <form method="post" action="/">
            <input type="hidden" name="\(link.kind.pageParameter)" value="\(link.id.description)">
            <input type="hidden" name="s" value="\(link.secret.expose())">
            <button class="primary" name="outcome" value="\(Outcome.accept.rawValue)">\(PageText.button(.accept).label)</button>
            <fieldset>
            <legend>Or let it end another way</legend>
            <div class="choices">
            \(others)
            </div>
            </fieldset>
            </form>
            """
    }

    private static func button(_ outcome: Outcome) -> HTML {
        let text = PageText.button(outcome)
        return """
            <button class="choice" name="outcome" value="\(outcome.rawValue)"><span>\(text.label)</span>\
            <small>\(text.note)</small></button>
            """
    }

    private static func title(_ kind: ScanKind) -> String {
        switch kind {
        case .login: "Confirm it’s you"
        case .enrolment: "Register your face"
        }
    }

    private static func purpose(_ kind: ScanKind) -> String {
        switch kind {
        case .login: "Signing in as"
        case .enrolment: "Setting up face sign-in for"
        }
    }

    /// `m:ss`.
    private static func clockFace(_ seconds: Int64) -> String {
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}
