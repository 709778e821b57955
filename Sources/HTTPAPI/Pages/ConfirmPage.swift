import Kernel
import OAuth
import Operations

/// What the page says that asks before the scan.
enum ConfirmPage {
    /// For the layout; whatever came from a request is escaped there.
    static func values(
        _ view: ConfirmView,
        _ fault: NumberFault?,
        at place: LandingPages.Place,
        _ texts: Texts
    ) -> [String: Any] {
        let (words, asking) = (texts.confirm, texts.signedIn.approval)
        let order = view.approval
        let message = order?.message ?? view.origin.message
        var own: [String: Any] = [
            "title": order == nil ? words.title : asking.title, "body": body(view, texts),
            "hasMessage": message != nil, "message": message ?? "",
            "hasFacts": true, "facts": facts(view, texts), "hasButton": true,
            "button": order == nil ? words.button : asking.button, "method": "post", "hasNumber": view.asksNumber,
            "numberLabel": words.number, "numberHint": words.numberHint, "hasAlert": fault != nil,
            "alert": fault.map { sentence($0, words) } ?? "", "hasDenial": true, "denial": words.denial,
            "denialPath": "\(place.page)/not-me", "hasAction": place.isBelow, "action": place.page,
        ]
        if let asked = view.asked { own.merge(consent(to: asked, view.clientName, texts)) { _, new in new } }
        guard view.asksPasskey else { return own }
        return own.merging(passkey(at: place, texts)) { _, new in new }
    }

    /// What somebody else's client gets by a yes, in the words of the page that asks for consent (OpenID Connect Core §3.1.2.4).
    private static func consent(
        to asked: LandingPolicy.Asked,
        _ client: String,
        _ texts: Texts
    ) -> [String: Any] {
        let words = texts.authorization
        let say = { (word: SignInWord) in (words[word] ?? "").replacing("%", with: client) }
        let scopes = ScopeSentences.of(ScopeSet(Set(asked.scopes)), asked.resources, in: words)
        return [
            "hasScopes": true, "scopesLead": say(.consentLead), "scopes": scopes.map { ["text": $0] },
            "strange": say(.strange),
        ]
    }

    /// What the page has besides where a passkey goes on from it: the same for every account, and for none.
    private static func passkey(at place: LandingPages.Place, _ texts: Texts) -> [String: Any] {
        let words = texts.confirm.passkey
        let assets = SiteAssets.byLanguage[texts.language]?.version ?? ""
        return [
            "hasPasskey": true, "button": words.without, "passkeyButton": words.with, "passkeyHint": words.hint,
            "passkeyPath": "\(place.page)/passkey", "needsScript": words.needsScript, "hasModule": true,
            "module": "\(place.assets)/\(assets)/confirm.js",
        ]
    }

    private static func body(_ view: ConfirmView, _ texts: Texts) -> String {
        guard view.approval == nil else { return texts.signedIn.approval.body }
        switch view.starter {
        case .app: return texts.confirm.body
        case .server: return view.origin.message == nil ? texts.confirm.asked : texts.confirm.askedInWords
        }
    }

    private static func facts(_ view: ConfirmView, _ texts: Texts) -> [[String: String]] {
        let words = texts.confirm
        let shown = { (text: String) in text.isEmpty ? words.unknown : text }
        let client = view.approval == nil ? words.client : texts.signedIn.approval.client
        let facts =
            approved(view.approval, texts.signedIn.approval) + [
                (client, view.clientName), (words.account, shown(view.origin.email)),
            ] + place(view, words) + [(words.started, age(view.age, words))]
        return facts.map { ["label": $0.0, "value": $0.1] }
    }

    /// Where it was started from: an app, or a browser; a server's place is no help to the person.
    private static func place(_ view: ConfirmView, _ words: Texts.ConfirmText) -> [(String, String)] {
        let shown = { (text: String) in text.isEmpty ? words.unknown : text }
        return switch view.starter {
        case .app: [(words.address, shown(view.origin.address)), (words.agent, shown(view.origin.agent))]
        case .server: []
        }
    }

    /// The sum exactly as the token will name it.
    private static func approved(_ order: ApprovalOrder?, _ words: Texts.ApprovalText) -> [(String, String)] {
        let amount = order?.amount.map { (words.amount, "\($0.value) \($0.currency)") }
        let payee = order?.payee.map { (words.payee, $0) }
        return [amount, payee].compactMap(\.self)
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
