import Kernel

/// The page of a scan that has ended, and of a link that opens no scan.
enum ResultPage {
    static func page(_ scan: Scan, _ outcome: Outcome) -> HTML {
        let text = PageText.result(outcome, scan.kind)
        return notice(
            title: text.title,
            text: text.text,
            look: look(outcome),
            detail: """
                <dl>
                <div><dt>Status</dt><dd>\(outcome.status.name) (\(outcome.status.rawValue))</dd></div>
                <div><dt>Message</dt><dd>\(outcome.message)</dd></div>
                <div><dt>Scan</dt><dd><code>\(scan.id.description)</code></dd></div>
                </dl>
                """
        )
    }

    /// A wrong secret and an unknown scan look the same.
    static let invalidLink = notice(
        title: "This link doesn’t work",
        text: "It may be incomplete or very old. Go back to the app and start again.",
        look: Look(tone: "bad", symbol: PageArt.cross)
    )

    static let welcome = notice(
        title: "The mock is running",
        text: "Scan pages open from the link that a sign-in gives.",
        look: Look(tone: "good", symbol: PageArt.check),
        detail: "<a class=\"quiet link\" href=\"/_mock\">See the live scans</a>"
    )

    private struct Look {
        let tone: String
        let symbol: HTML
    }

    private static func look(_ outcome: Outcome) -> Look {
        switch outcome {
        case .accept: Look(tone: "good", symbol: PageArt.check)
        case .rejectMatch, .rejectLiveness, .rejectBoth: Look(tone: "bad", symbol: PageArt.cross)
        case .decline, .cancel: Look(tone: "calm", symbol: PageArt.cross)
        case .expire: Look(tone: "calm", symbol: PageArt.hourglass)
        case .error: Look(tone: "bad", symbol: PageArt.alert)
        }
    }

    private static func notice(title: String, text: String, look: Look, detail: HTML = "") -> HTML {
        PageShell.page(
            title: title,
            content: """
                <section class="notice \(look.tone)">
                \(look.symbol)
                <h1>\(title)</h1>
                <p>\(text)</p>
                \(detail)
                </section>
                """
        )
    }
}
