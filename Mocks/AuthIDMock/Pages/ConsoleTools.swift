import Kernel

/// The tools of a tester's page besides the buttons of its scans: recording, faults, and single webhooks.
enum ConsoleTools {
    // MARK: Recording

    /// The state of the recording, with what a tester can do about it.
    static func recording(_ recording: Recording?) -> HTML {
        guard let recording else {
            return section(
                "Record presses, and play them again with <code>--script</code>.",
                button("start", "Record"),
                isOn: false
            )
        }
        let count = recording.steps.count == 1 ? "one step" : "\(recording.steps.count) steps"
        switch recording.state {
        case .recording:
            return section("<strong>Recording</strong>: \(count)", button("stop", "Stop"), isOn: true)
        case .stopped: return finished("Recorded: \(count)", recording)
        case .full: return finished("The recording is full: \(count)", recording)
        }
    }

    private static func finished(_ words: String, _ recording: Recording) -> HTML {
        section(
            "\(words)",
            """
            <pre tabindex="0" role="region" aria-label="Recorded scenario"><code>\(recording.yaml)</code></pre>
            <a class="primary link" href="/_mock/recording/scenario.yaml" download="scenario.yaml">Save scenario.yaml</a>
            \(button("start", "Record again"))
            \(button("discard", "Discard"))
            """,
            isOn: false
        )
    }

    private static func section(_ words: HTML, _ tools: HTML, isOn: Bool) -> HTML {
        """
        <section class="recording\(isOn ? " on" : "")" aria-label="Recording"><p role="status">\(words)</p>
        \(tools)
        </section>
        """
    }

    private static func button(_ action: String, _ label: String) -> HTML {
        """
        <form method="post" action="/_mock/recording/\(action)"><button class="quiet" id="recording-\(action)">\(label)</button></form>
        """
    }

    // MARK: Faults and webhooks

    /// The form for a fault, which is no part of the list that is updated: nobody's choice is lost.
    static let faults: HTML = """
        <section class="tools" aria-labelledby="faults-title">
        <h2 id="faults-title">Set a fault</h2>
        <form method="post" action="/_mock/faults/set">
        <label>Calls <select name="target">\(options(FaultTarget.allCases.map { ($0.rawValue, $0.rawValue) }))</select></label>
        <label>Fault <select name="fault">\(options(FaultKind.allCases.map { ($0.rawValue, $0.rawValue) }))</select></label>
        <label>Times <input name="count" type="number" min="1" max="1000000" inputmode="numeric" placeholder="until ended"></label>
        <button class="quiet" id="set-fault">Set fault</button>
        </form>
        </section>
        """

    /// The form that sends one webhook about a scan.
    static func report(_ scan: Scan, name: String) -> HTML {
        let kinds = [("", "as it is")] + WebhookMangling.allCases.map { ($0.rawValue, $0.rawValue) }
        return """
            <form class="report" method="post" action="/_mock/scans/\(scan.id.description)/report">
            <label>Webhook <select name="mangle" id="\(scan.id.description)-mangle">\(options(kinds))</select></label>
            <button class="quiet" id="\(scan.id.description)-report" aria-label="Send a webhook about the scan of \(name)">Send</button>
            </form>
            """
    }

    private static func options(_ options: [(value: String, label: String)]) -> HTML {
        HTML(joining: options.map { "<option value=\"\($0.value)\">\($0.label)</option>" })
    }
}
