import Kernel
import Operations

/// What the page says that asks before the scan.
enum ConfirmPage {
    /// For the layout; whatever came from a request is escaped there.
    static func values(
        _ view: ConfirmView,
        _ fault: NumberFault?,
        ticket: String,
        _ texts: Texts.ConfirmText
    ) -> [String: Any] {
        [
            "title": texts.title, "body": texts.body, "hasFacts": true, "facts": facts(view, texts),
            "hasButton": true, "button": texts.button, "method": "post", "hasNumber": view.asksNumber,
            "numberLabel": texts.number, "numberHint": texts.numberHint, "hasAlert": fault != nil,
            "alert": fault.map { sentence($0, texts) } ?? "", "hasDenial": true, "denial": texts.denial,
            // Relative to /go/{ticket}: wherever a proxy has mounted it.
            "denialPath": "\(ticket)/not-me",
        ]
    }

    private static func facts(_ view: ConfirmView, _ texts: Texts.ConfirmText) -> [[String: String]] {
        let shown = { (text: String) in text.isEmpty ? texts.unknown : text }
        return [
            (texts.client, view.clientName), (texts.account, shown(view.origin.email)),
            (texts.address, shown(view.origin.address)), (texts.agent, shown(view.origin.agent)),
            (texts.started, age(view.age, texts)),
        ].map { ["label": $0.0, "value": $0.1] }
    }

    private static func age(_ age: Duration, _ texts: Texts.ConfirmText) -> String {
        let minutes = age.wholeMilliseconds / 60_000
        return minutes == 0 ? texts.justNow : texts.minutesAgo.replacing("%", with: "\(minutes)")
    }

    private static func sentence(_ fault: NumberFault, _ texts: Texts.ConfirmText) -> String {
        switch fault {
        case .missing: texts.numberMissing
        case .wrong(let triesLeft): texts.numberWrong.replacing("%", with: "\(triesLeft)")
        }
    }
}
