import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Sessions
import SignIn
import Web

/// The page where a person allows or denies a device (RFC 8628 §3.3).
///
/// The person types the device's code, and sees the client, its scopes, and the device's address. GET looks up and
/// changes nothing, even with a code in the address, so that opening a link never allows a device. Only a person who
/// has just signed in can try a code.
struct DevicePageAPI: Sendable {
    /// The longest time between a person's sign-in and their decision.
    static let recency: Duration = .seconds(600)
    /// The parameter with the encrypted code in the page's address.
    private static let carried = "carried"
    /// The largest form in bytes.
    private static let formLimit = 1024

    let flow: DeviceFlowServices
    let clients: OAuthClientDirectory
    let browser: BrowserProof
    let signIn: PageSignIn
    /// `nil` if the config switches limits off.
    let limits: DeviceFlowLimits?
    let environment: Environment
    let server: ServerConfiguration
    let pages: DevicePages

    var routes: [Route] {
        let access = OpenAccess.everybody(accepting: .webSession, .interactionCookie)
        return Route.document("/device", access: access, use: show) + [
            Route(.post, "/device", access: access, use: submit)
        ]
    }

    /// `GET|HEAD /device`: asks for a sign-in, then for the code.
    private func show(_ request: Request, _ context: APIContext) async throws -> Response {
        // A trailing slash would break the page's relative addresses.
        guard request.uri.path == "/device" else { throw APIError.notFound }
        return try await page(context.language.textsOfAddress(request)) { texts in
            let typed = FormBody.field("user_code", in: request.uri.query ?? "") ?? ""
            let code = (UserCode(typed: typed) ?? carried(by: request))?.text ?? ""
            guard try await person(request) != nil else { return pages.signIn(code, in: texts) }
            return pages.ask(code, in: texts)
        }
    }

    /// `POST /device`: looks the code up, and writes the person's decision after they have seen the client.
    private func submit(_ request: Request, _ context: APIContext) async throws -> Response {
        guard request.uri.path == "/device" else { throw APIError.notFound }
        return try await page(context.language.texts(for: request)) { texts in
            guard server.ownPages.sent(request) else { return pages.notice(.crossSite, in: texts) }
            let form = try await FormBody.text(of: request, upTo: Self.formLimit) ?? ""
            let asked = FormBody.field("ui_locales", in: form)
            let texts = context.language.texts(for: request, asked: asked)
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
        let address = server.addresses.client(of: request, context)
        guard let person = try await person(request) else {
            try await limits?.admitSignIn(from: address)
            return try await signIn(carrying: UserCode(typed: typed), request, in: texts)
        }
        // A malformed code does not count as an attempt.
        guard let code = UserCode(typed: typed) else { return pages.ask(typed, isWrong: true, in: texts) }
        try await limits?.admitTry(by: person.account, from: address)
        if let wanted = try await missingProof(code, person) {
            await limits?.giveBackTry(by: person.account, from: address)
            return try await signIn(carrying: code, request, in: texts, wanting: wanted)
        }
        let page: Response?
        if let choice = Choice(form), choice.isOf(person.account) {
            page = try await decide(choice, on: code, by: person, in: texts)
        } else {
            page = try await confirm(code, person, from: address, in: texts)
        }
        guard let page else { return pages.ask(code.text, isWrong: true, in: texts) }
        await limits?.giveBackTry(by: person.account, from: address)
        return page
    }

    /// Sends the person to the sign-in page, and back with the code in the page's field.
    ///
    /// `wanting`: The way to sign in that the code's client requires, once the client is known.
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

    /// Returns the code in the page's address, if this server encrypted it for this browser.
    private func carried(by request: Request) -> UserCode? {
        guard let text = FormBody.field(Self.carried, in: request.uri.query ?? ""),
            text.utf8.count <= UserCode.longestTyped
        else { return nil }
        return signIn.opened(text, request).flatMap { UserCode(typed: $0) }
    }

    /// The button that the person pressed.
    private struct Choice {
        let isYes: Bool
        /// The account that the page named beside the buttons.
        private let shown: String

        /// Returns `nil` for a form without a choice.
        init?(_ form: String) {
            switch FormBody.field("decision", in: form) {
            case "allow": isYes = true
            case "deny": isYes = false
            default: return nil
            }
            shown = FormBody.field("as", in: form) ?? ""
        }

        /// Returns `false` if another person has signed in since, in another tab; the page then asks that person.
        func isOf(_ account: AccountID) -> Bool { shown == account.description }
    }

    /// Shows the client and its scopes; `nil` for an unknown code.
    private func confirm(
        _ code: UserCode,
        _ person: Interaction.Proven,
        from visitor: NetworkAddress?,
        in texts: LocalizedStrings
    ) async throws -> Response? {
        guard let pending = try await flow.service.pending(code), let client = client(of: pending),
            let profile = try await browser.profile(of: person.account)
        else { return nil }
        let view = DevicePages.Question(
            code: code.text,
            client: client,
            access: pending.access,
            origin: pending.origin,
            isSameNetwork: visitor.flatMap { here in
                NetworkAddress(pending.origin.address).map { $0.counted == here.counted }
            },
            age: environment.now() - pending.createdAt,
            person: profile.email?.text ?? profile.username?.shown ?? profile.account.displayName,
            mark: person.account.description
        )
        return pages.question(view, in: texts.branded(for: client.id))
    }

    /// Writes the person's decision; `nil` for an unknown or expired code.
    private func decide(
        _ choice: Choice,
        on code: UserCode,
        by person: Interaction.Proven,
        in texts: LocalizedStrings
    ) async throws -> Response? {
        let decision: DeviceDecision =
            choice.isYes ? .allow(.init(account: person.account, authentication: person.authentication)) : .deny
        guard let id = try await flow.decisions.keep(decision, about: code, by: person) else { return nil }
        let name = clients.client(id)?.name ?? id
        return pages.notice(choice.isYes ? .allowed(name) : .denied(name), in: texts.branded(for: id))
    }

    /// Returns the proof that the code's client requires and the person has not given; `nil` if nothing is missing.
    private func missingProof(_ code: UserCode, _ person: Interaction.Proven) async throws -> RequiredProof? {
        guard let pending = try await flow.service.pending(code), let rules = client(of: pending)?.authorization else {
            return nil
        }
        // The page itself takes a face or a passkey alone, so that other ways of the client don't matter here.
        let ways = rules.ways.intersection([.face, .passkey])
        guard rules.requires.isMet(by: person.authentication) else { return rules.requires }
        guard !ways.isEmpty, ways.isDisjoint(with: person.authentication.ways) else { return nil }
        return ways.contains(.passkey) ? .passkey : .face
    }

    private func client(of request: DeviceAuthorization) -> OAuthClient? {
        guard let client = clients.client(request.access.clientID), client.isEnabled,
            client.access.grants.contains(.deviceCode)
        else { return nil }
        return client
    }

    /// Returns the person who has just signed in with a passkey or a face.
    private func person(_ request: Request) async throws -> Interaction.Proven? {
        guard let proven = try await browser.proven(request),
            environment.now() - proven.authentication.at < Self.recency,
            RequiredProof.faceOrPasskey.isMet(by: proven.authentication)
        else { return nil }
        return proven
    }

    /// Turns every error into a page, because a person reads the answer.
    private func page(
        _ texts: LocalizedStrings,
        _ answer: (LocalizedStrings) async throws -> Response
    ) async throws -> Response {
        do { return try await answer(texts) } catch let error as PageError {
            throw error
        } catch {
            let problem = APIError(error, bodyLimit: server.bodyLimit)
            let page = pages.notice(.fault(of: problem), in: texts)
            throw PageError(cause: error, page: page.retry(after: problem.retryAfter))
        }
    }
}
