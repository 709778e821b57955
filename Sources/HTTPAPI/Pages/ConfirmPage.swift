import Kernel
import OAuth
import Operations
import Web

/// The content of the page that asks before the scan.
enum ConfirmPage {
    /// Returns the content for the layout, which escapes every text that came from a request.
    static func content(
        _ view: ConfirmView,
        _ fault: NumberError?,
        seenFrom visitor: NetworkAddress?,
        at location: LandingPages.Location,
        in texts: LocalizedStrings
    ) -> LandingContent {
        let approval = view.approval
        let button = approval == nil ? texts[ConfirmKey.button] : texts[ApprovalKey.button]
        return LandingContent(
            title: approval == nil ? texts[ConfirmKey.title] : texts[ApprovalKey.title],
            body: body(view, texts),
            details: .init(
                message: approval?.message ?? view.origin.message,
                scopes: view.asked.map { scopes($0, by: view.clientName, in: texts) },
                detailList: detailList(view, seenFrom: visitor, texts)
            ),
            passkey: view.asksPasskey ? passkey(at: location, texts) : nil,
            form: .init(
                action: location.isBelow ? location.page : nil,
                button: view.asksPasskey ? texts[ConfirmKey.withoutPasskey] : button,
                number: view.asksNumber ? .init(alert: fault.map { sentence($0, texts) }) : nil,
                denialPath: "\(location.page)/not-me"
            )
        )
    }

    /// Returns the scopes that an approval grants to another organisation's client.
    ///
    /// The sentences are those of the consent page (OpenID Connect Core §3.1.2.4).
    private static func scopes(
        _ asked: LandingPolicy.Asked,
        by client: String,
        in texts: LocalizedStrings
    ) -> ScopeList {
        ScopeList(
            lead: texts.text(SignInKey.consentLead, with: client),
            sentences: ScopeSentences.of(ScopeSet(Set(asked.scopes)), asked.resources, in: texts),
            warning: texts.text(SignInKey.strange, with: client)
        )
    }

    /// Returns the button for a passkey, which is the same for every account, even an unknown one.
    private static func passkey(at location: LandingPages.Location, _ texts: LocalizedStrings) -> LandingContent.Passkey
    {
        let module = "\(location.assets)/\(WebAssets.version(in: texts))/confirm.js"
        return .init(path: "\(location.page)/passkey", module: module)
    }

    private static func body(_ view: ConfirmView, _ texts: LocalizedStrings) -> String {
        guard view.approval == nil else { return texts[ApprovalKey.body] }
        return switch view.starter {
        case .app: texts[ConfirmKey.body]
        case .server: view.origin.message == nil ? texts[ConfirmKey.asked] : texts[ConfirmKey.askedInWords]
        }
    }

    private static func detailList(
        _ view: ConfirmView,
        seenFrom visitor: NetworkAddress?,
        _ texts: LocalizedStrings
    ) -> DetailList {
        let client = view.approval == nil ? texts[ConfirmKey.client] : texts[ApprovalKey.client]
        let email = view.origin.email
        let account = email.isEmpty ? [] : [(label: texts[ConfirmKey.account], value: email)]
        let started = [(label: texts[ConfirmKey.started], value: age(view.age, in: texts))]
        return DetailList(
            approved(view.approval, texts) + [(client, view.clientName)] + account
                + origin(view, seenFrom: visitor, texts) + started
        )
    }

    /// Returns the place, and the browser or app, of the device that started the operation, without what is unknown.
    ///
    /// Returns none if a server started it, because a server's address does not help the person.
    private static func origin(
        _ view: ConfirmView,
        seenFrom visitor: NetworkAddress?,
        _ texts: LocalizedStrings
    ) -> [(label: String, value: String)] {
        switch view.starter {
        case .app:
            OriginText.rows(address: view.origin.address, agent: view.origin.agent, seenFrom: visitor, in: texts)
        case .server: []
        }
    }

    /// Returns the payee, and the amount of the token in the form of the reader's language.
    private static func approved(
        _ approval: ApprovalRequest?,
        _ texts: LocalizedStrings
    ) -> [(label: String, value: String)] {
        let amount = approval?.amount.map {
            (label: texts[ApprovalKey.amount], value: AmountText.of($0.value, $0.currency, in: texts.language))
        }
        let payee = approval?.payee.map { (label: texts[ApprovalKey.payee], value: $0) }
        return [amount, payee].compactMap(\.self)
    }

    /// Returns in words how long ago the operation was started.
    static func age(_ age: Duration, in texts: LocalizedStrings) -> String {
        let minutes = age.wholeMilliseconds / 60_000
        return minutes == 0 ? texts[ConfirmKey.justNow] : texts.text(ConfirmKey.minutesAgo, with: "\(minutes)")
    }

    private static func sentence(_ fault: NumberError, _ texts: LocalizedStrings) -> String {
        switch fault {
        case .missing: texts[ConfirmKey.numberMissing]
        case .wrong(let triesLeft): texts.text(ConfirmKey.numberWrong, with: "\(triesLeft)")
        }
    }
}
