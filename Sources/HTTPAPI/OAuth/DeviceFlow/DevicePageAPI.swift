package import Accounts
import HTTPTypes
import Hummingbird
import Kernel
package import OAuth
import Sessions
package import SignIn
import Web

/// The page where a person lets a device in (RFC 8628 §3.3): they type its code, see who asks for what and from where, and
/// say yes or no.
///
/// GET changes nothing and looks up nothing, also where the code stands in the address: a link alone lets nobody in. Only
/// somebody who has just signed in tries a code at all.
package struct DevicePageAPI: Sendable {
    /// How long ago the person may have signed in who lets a device in.
    static let recency: Duration = .seconds(600)
    /// The parameter of the page's address that a sealed code is in.
    private static let carried = "carried"
    /// Bytes of the page's forms.
    private static let formLimit = 1024

    private let service: DeviceFlowService
    private let clients: OAuthClientDirectory
    private let accounts: AccountService
    private let browser: BrowserProof
    private let signIn: PageSignIn
    private let limits: DeviceFlowLimits?
    private let addresses: ClientAddresses
    private let decisions: DeviceDecisions
    private let environment: Environment
    private let settings: SitePageSettings
    private let pages: DevicePages
    private let ownPages: OwnPages

    /// `limits`: none where it is `nil`, for benches.
    package init(
        service: DeviceFlowService,
        clients: OAuthClientDirectory,
        accounts: AccountService,
        browser: BrowserProof,
        signIn: PageSignIn,
        limits: DeviceFlowLimits?,
        addresses: ClientAddresses,
        decisions: DeviceDecisions,
        environment: Environment,
        settings: SitePageSettings
    ) {
        self.service = service
        self.clients = clients
        self.accounts = accounts
        self.browser = browser
        self.signIn = signIn
        self.limits = limits
        self.addresses = addresses
        self.decisions = decisions
        self.environment = environment
        self.settings = settings
        pages = DevicePages(site: settings.site)
        ownPages = OwnPages(publicURL: settings.publicURL)
    }

    package var routes: [Route] {
        let access = OpenAccess.everybody(heeding: .webSession, .interactionCookie)
        return Route.document("/device", access: access, show) + [Route(.post, "/device", access: access, submit)]
    }

    /// `GET|HEAD /device`: asks for the code, or first who it is.
    private func show(_ request: Request, _ context: APIContext) async throws -> Response {
        // With a slash behind it the page's relative addresses would lead nowhere.
        guard request.uri.path == "/device" else { throw APIError.notFound }
        return try await page(AcceptedLanguage.textsOfAddress(request)) { texts in
            let typed = FormBody.field("user_code", in: request.uri.query ?? "") ?? ""
            let code = (UserCode(typed: typed) ?? carried(by: request))?.text ?? ""
            guard try await person(request) != nil else { return pages.signIn(code, in: texts) }
            return pages.ask(code, in: texts)
        }
    }

    /// `POST /device`: looks the code up, and once the person has seen whose it is, writes their word.
    private func submit(_ request: Request, _ context: APIContext) async throws -> Response {
        guard request.uri.path == "/device" else { throw APIError.notFound }
        return try await page(AcceptedLanguage.texts(for: request)) { texts in
            guard ownPages.sent(request) else { return pages.notice(.crossSite, in: texts) }
            let form = try await FormBody.text(of: request, upTo: Self.formLimit) ?? ""
            let asked = FormBody.field("ui_locales", in: form)
            let texts = AcceptedLanguage.texts(for: request, asked: asked)
            return try await page(texts) { try await answer(request, context, form: form, in: $0) }
        }
    }

    private func answer(
        _ request: Request,
        _ context: APIContext,
        form: String,
        in texts: LocalizedStrings
    ) async throws -> Response {
        let typed = String((FormBody.field("user_code", in: form) ?? "").prefix(UserCode.longestTyped))
        let address = addresses.client(of: request, context)
        guard let person = try await person(request) else {
            try limits?.admitSignIn(from: address)
            return try await signIn(carrying: UserCode(typed: typed), request, in: texts)
        }
        // What can't be a code costs none of the tries.
        guard let code = UserCode(typed: typed) else { return pages.ask(typed, isWrong: true, in: texts) }
        try limits?.admitTry(by: person.account, from: address)
        if let wanted = try await missingProof(code, person) {
            limits?.giveBackTry(by: person.account, from: address)
            return try await signIn(carrying: code, request, in: texts, wanting: wanted)
        }
        let page: Response?
        if let choice = Choice(form), choice.isOf(person.account) {
            page = try await decide(choice, on: code, by: person, in: texts)
        } else {
            page = try await confirm(code, person, from: address, in: texts)
        }
        guard let page else { return pages.ask(code.text, isWrong: true, in: texts) }
        limits?.giveBackTry(by: person.account, from: address)
        return page
    }

    /// Has the person sign in, and come back with that code in the page's field; `wanting`: what the code's client requires,
    /// once that is known.
    private func signIn(
        carrying code: UserCode?,
        _ request: Request,
        in texts: LocalizedStrings,
        wanting: RequiredProof = .faceOrPasskey
    ) async throws -> Response {
        try await signIn.begin(carrying: code?.text, request, in: texts, wanting: wanting.contextClass) { sealed in
            let carried = sealed.map { [(Self.carried, $0)] } ?? []
            return QueryText.add(carried + [("ui_locales", texts.language)], to: "/device")
        }
    }

    /// The code that a browser brings back from there, if it is the one that was sent.
    private func carried(by request: Request) -> UserCode? {
        guard let text = FormBody.field(Self.carried, in: request.uri.query ?? ""),
            text.utf8.count <= UserCode.longestTyped
        else { return nil }
        return signIn.opened(text, request).flatMap { UserCode(typed: $0) }
    }

    /// What a press of one of the two buttons says.
    private struct Choice {
        let isYes: Bool
        /// The account that the page has named beside the buttons.
        private let shown: String

        /// `nil` for a form without either.
        init?(_ form: String) {
            switch FormBody.field("decision", in: form) {
            case "allow": isYes = true
            case "deny": isYes = false
            default: return nil
            }
            shown = FormBody.field("as", in: form) ?? ""
        }

        /// Somebody else may have signed in since, in another tab: they are asked themselves.
        func isOf(_ account: AccountID) -> Bool { shown == account.description }
    }

    /// Shows who asks for what; `nil` for a code that is not right.
    private func confirm(
        _ code: UserCode,
        _ person: Interaction.Proven,
        from visitor: NetworkAddress?,
        in texts: LocalizedStrings
    ) async throws -> Response? {
        guard let pending = try await service.pending(code), let client = client(of: pending),
            let profile = try await accounts.active(person.account)?.profile
        else { return nil }
        let view = DevicePages.Question(
            code: code.text,
            client: client,
            scopes: pending.scopes,
            resources: pending.resources,
            origin: pending.origin,
            isSameNetwork: visitor.flatMap { here in
                NetworkAddress(pending.origin.address).map { $0.counted == here.counted }
            },
            age: environment.now() - pending.createdAt,
            person: profile.email?.text ?? profile.username?.shown ?? profile.account.displayName,
            mark: person.account.description
        )
        return pages.question(view, in: texts)
    }

    /// Writes the person's word; `nil` for a code that is not right, or not any more.
    private func decide(
        _ choice: Choice,
        on code: UserCode,
        by person: Interaction.Proven,
        in texts: LocalizedStrings
    ) async throws -> Response? {
        let decision: DeviceDecision =
            choice.isYes ? .allow(.init(account: person.account, authentication: person.authentication)) : .deny
        guard let id = try await decisions.keep(decision, about: code, by: person) else { return nil }
        let name = clients.client(id)?.name ?? id
        return pages.notice(choice.isYes ? .allowed(name) : .denied(name), in: texts)
    }

    /// What the client of that code requires and the person has not proved; `nil` for nothing.
    private func missingProof(_ code: UserCode, _ person: Interaction.Proven) async throws -> RequiredProof? {
        guard let pending = try await service.pending(code), let client = client(of: pending),
            !client.requires.isMet(by: person.authentication)
        else { return nil }
        return client.requires
    }

    private func client(of request: DeviceAuthorization) -> OAuthClient? {
        guard let client = clients.client(request.clientID), client.isEnabled, client.grants.contains(.deviceCode)
        else { return nil }
        return client
    }

    /// Who has signed in a moment ago, by a passkey or a face.
    private func person(_ request: Request) async throws -> Interaction.Proven? {
        guard let proven = try await browser.proven(request),
            environment.now() - proven.authentication.at < Self.recency,
            RequiredProof.faceOrPasskey.isMet(by: proven.authentication)
        else { return nil }
        return proven
    }

    /// A person reads what comes of it, whatever goes wrong here.
    private func page(
        _ texts: LocalizedStrings,
        _ answer: (LocalizedStrings) async throws -> Response
    ) async throws -> Response {
        do { return try await answer(texts) } catch let error as PageError {
            throw error
        } catch {
            let problem = APIError(error, bodyLimit: settings.bodyLimit)
            let page = pages.notice(.fault(of: problem), in: texts)
            throw PageError(cause: error, page: page.retry(after: problem.retryAfter))
        }
    }
}
