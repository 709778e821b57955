import Testing

@testable import HTTPAPI
@testable import Web

/// Templates name members that their contents have.
struct PageContentTests {
    private static let detailList = DetailList([(label: "l", value: "v")])
    private static let passkeyWait = PasskeyWait("s", isHidden: true)
    private static let scopes = ScopeList(lead: "l", sentences: ["s"], warning: "w")

    /// A content of each page, with everything that it may have.
    private static let contents: [(pages: [String], content: any Sendable)] = [
        (
            ["landing"],
            LandingContent(
                title: "t",
                body: "b",
                refusal: "r",
                details: .init(
                    code: .init(digits: "1", note: "n"),
                    message: "m",
                    scopes: scopes,
                    detailList: detailList
                ),
                passkey: .init(path: "p", module: "m"),
                form: .init(
                    action: "a",
                    button: "b",
                    number: .init(alert: "a"),
                    password: .init(isWrong: true),
                    denialPath: "d",
                    script: "s"
                )
            )
        ),
        (
            ["answer"],
            AnswerResponse.Content(
                title: "t",
                body: "b",
                button: "b",
                action: "a",
                fields: [.init(name: "n", value: "v")],
                script: "s"
            )
        ),
        (["enrollment"], enrollment),
        (["scan"], scan),
        (["app-link"], AppLinkPage.Content(title: "t", lead: "l", address: "a", missing: "m", without: "w")),
        (
            SitePage.rendered.map(\.name),
            SitePages.Content(
                title: "t",
                script: "s",
                isHome: true,
                isWide: true,
                links: [.init(path: "p", label: "l", hint: "h", name: "n", isCurrent: true)],
                passkeys: .init(rpID: "r", passkeyWait: passkeyWait),
                listsUsers: true,
                showsSettings: true
            )
        ),
        (
            ["sign-in-identifier"],
            SignInIdentifierContent(
                title: "t",
                lead: "l",
                page: "p",
                field: .init(typed: "t", fault: "f"),
                offersPasskey: true,
                opensAccounts: true,
                account: "a",
                cancel: "c"
            )
        ),
        (["account"], account), (["sign-in-ways"], ways),
        (
            ["sign-in-code"],
            SignInCodeContent(title: "t", lead: "l", page: "p", email: "e", able: "1", fault: "f", cancel: "c")
        ), (["sign-in-offer"], SignInOfferContent(title: "t", lead: "l", page: "p", passkeyWait: passkeyWait)),
        (
            ["sign-in-up"],
            SignInUpContent(
                title: "t",
                page: "p",
                offersPasskey: true,
                byPassword: .init(email: "e", name: "n", passwordHint: "h", isPlain: true),
                fault: "f",
                cancel: "c"
            )
        ),
        (
            ["sign-in-wait"],
            SignInWaitContent(
                title: "t",
                page: "p",
                secondsLeft: 1,
                place: .init(number: "1", scan: "s", isThere: true, isHere: true),
                steps: [.init(name: "n", isPast: true, isNow: true)],
                status: "s",
                cancel: "c"
            )
        ),
        (["sign-in-failed"], SignInFailedContent(title: "t", code: "c", sentence: "s", page: "p", cancel: "c")),
        (
            ["sign-in-consent"],
            SignInConsentContent(
                title: "t",
                lead: "l",
                scopes: scopes,
                detailList: detailList,
                warning: "w",
                agree: "a",
                mark: "m",
                page: "p"
            )
        ),
        (["sign-in-onward"], SignInOnwardContent(title: "t", next: "n")),
        (["sign-in-notice"], SignInNoticeContent(title: "t", lead: "l", isLive: true, start: "s")),
        (["device-sign-in", "device-code"], DeviceCodeContent(title: "t", code: "c", fault: "f")),
        (
            ["device-question"],
            DeviceQuestionContent(
                title: "t",
                code: "c",
                mark: "m",
                lead: "l",
                scopes: ["s"],
                detailList: detailList,
                warning: "w"
            )
        ),
    ]

    private static let scan = ScanContent(
        title: "t",
        page: "p",
        secondsLeft: 1,
        refresh: 3,
        steps: [.init(name: "n", isPast: true, isNow: true)],
        status: "s",
        buttons: .init(again: "a", denialPath: "d"),
        module: "m"
    )

    private static var account: AccountContent {
        let press = AccountContent.Press(path: "p", token: "t", fields: [.init(key: "k", value: "v")])
        var acts = AccountContent.ActList([.init(label: "l", about: "a", link: "l", press: press)])
        acts?.passkeyWait = passkeyWait
        let picture = AccountContent.Picture(alternative: "a", outline: "o")
        let item = AccountContent.Item(
            name: "n",
            picture: picture,
            badge: "b",
            details: ["d"],
            granted: .init(["g"]),
            own: acts
        )
        let input = AccountContent.Input(field: "f", caption: "c", note: "n", isWrong: true)
        let section = AccountContent.Section(
            anchor: "a",
            heading: "h",
            intro: "i",
            ends: .init(["e"]),
            wait: .init(
                events: "e",
                look: "l",
                secondsLeft: 1,
                scan: "s",
                steps: [.init(name: "n", isPast: true, isNow: true)],
                state: "s"
            ),
            list: .init(items: [item], none: "n"),
            acts: acts,
            form: .init(
                action: "a",
                formToken: "t",
                username: "u",
                hidden: [.init(key: "k", value: "v")],
                inputs: [input],
                button: "b"
            )
        )
        return AccountContent(
            title: "t",
            person: "p",
            back: "b",
            lead: "l",
            status: "s",
            fault: "f",
            contents: .init(entries: [.init(anchor: "a", heading: "h")]),
            sections: [section]
        )
    }

    private static var ways: SignInWaysContent {
        let way = SignInWaysContent.Way(
            note: "n",
            isPlain: true,
            isPasskey: true,
            newPasskey: .init(passkeyWait: passkeyWait),
            isFace: true,
            isMail: true,
            isPassword: true,
            isEnrolment: true
        )
        return SignInWaysContent(
            title: "t",
            lead: "l",
            page: "p",
            identifier: "i",
            ways: [way],
            help: .init(hint: "h", account: "a"),
            fault: "f",
            cancel: "c"
        )
    }

    private static var enrollment: EnrollmentPages.Content {
        var content = EnrollmentPages.Content(title: "t", lead: "l")
        content.code = "c"
        content.detailList = detailList
        content.token = "t"
        return content
    }

    /// The parts that every page has besides.
    private struct Page {
        let content: any Sendable
        let language = "en"
        let text = "text"
        let style = "s"
        let icons = "/"
        let brand = BrandFrame(PageContentTests.branded, assets: "a")
        let site = SiteFrame(assets: "a")
    }

    /// Texts under a brand that has everything.
    private static let branded: LocalizedStrings = {
        var settings = BrandSettings()
        settings.logo = (try? BrandImage(SamplePNG.bytes)).map { BrandLogo(path: "logo.png", image: $0) }
        settings.logoDark = settings.logo
        settings.links.help = "https://www.example.com/help"
        settings.footer = "Example Ltd"
        return LocalizedStrings.english.branded(by: Brands(owner: Brand(settings, name: "Example")))
    }()

    /// The member of that name, as Mustache finds it: of the innermost value that has one.
    private static func find(_ name: String, in stack: [Any]) -> Any? {
        let path = name.split(separator: ".").map(String.init)
        guard let first = path.first else { return stack.last }
        let found = stack.reversed().lazy.compactMap { member(first, of: $0) }.first
        return path[0] == "text"
            ? found : path.dropFirst().reduce(found) { value, name in value.flatMap { member(name, of: $0) } }
    }

    private static func member(_ name: String, of value: Any) -> Any? {
        guard let found = Mirror(reflecting: value).children.first(where: { $0.label == name })?.value else {
            return nil
        }
        let mirror = Mirror(reflecting: found)
        return mirror.displayStyle == .optional ? mirror.children.first?.value : found
    }

    /// The names that a page asks for in vain, although its content has everything.
    private static func missing(in markup: String, _ content: any Sendable) -> [String] {
        var (stack, missing): ([Any], [String]) = ([Page(content: content)], [])
        for tag in markup.matches(of: #/\{\{([{#^/]?)([\w.]+)\}\}/#) {
            let (kind, name) = (tag.1, String(tag.2))
            if kind == "/" {
                if stack.count > 1 { stack.removeLast() }
                continue
            }
            let found = find(name, in: stack)
            if found == nil { missing.append(name) }
            if kind == "#" || kind == "^" { stack.append((found as? [Any])?.first ?? found ?? ()) }
        }
        return stack.count == 1 ? missing : missing + ["an end"]
    }

    @Test func `a page asks for nothing that its content has not`() throws {
        for (pages, content) in Self.contents {
            for page in pages {
                #expect(Self.missing(in: try #require(PageMarkup.markups[page]), content) == [], "\(page)")
            }
        }
        // The tests of the console render its page whole.
        let pages = Self.contents.flatMap(\.pages) + ["icon", "mail", "console"]
        #expect(pages.sorted() == PageMarkup.markups.keys.sorted(), "each page is looked at")
    }

    @Test func `no member of a content has the name of what every page has`() {
        let frame = Mirror(reflecting: Page(content: "")).children.compactMap(\.label)
        for (pages, content) in Self.contents {
            #expect(Self.members(of: content).isDisjoint(with: frame), "\(pages)")
        }
    }

    /// The names of all members, however deep.
    private static func members(of value: Any) -> Set<String> {
        Mirror(reflecting: value).children.reduce(into: []) { names, child in
            if let label = child.label { names.insert(label) }
            names.formUnion(members(of: child.value))
        }
    }
}
