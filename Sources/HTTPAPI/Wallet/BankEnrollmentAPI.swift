import Accounts
import CodeFlow
import HTTPTypes
import Hummingbird
import Kernel
import Operations
import Sessions
import Wallet
import Web

/// Adds a bank's cards to a wallet: the list of banks, the two starts, the callback, and the question at the end.
///
/// An attacker could begin an enrolment for their own wallet and send the bank's link to a victim. The victim's cards
/// would then be added to the attacker's wallet (RFC 9700 §4.7). So a browser that begins here gets a cookie, which it
/// has to present at the callback. An app opens a browser that lacks this cookie, so that the person is asked at the
/// end whose wallet it is.
struct BankEnrollmentAPI: Sendable {
    private static let callback = "/api/enrollment/callback/"
    /// The largest form in bytes.
    private static let formLimit = 1024

    let service: BankService
    let accounts: AccountService
    let wallet: WalletConfiguration
    let browser: BrowserProof
    let server: ServerConfiguration
    let environment: Environment
    /// `nil` without limits, as in benchmarks.
    let limits: BankLimits?
    let pages: EnrollmentPages

    private var cookies: CompanionCookies { .enrollment(isSecure: server.isSecure) }
    private var questions: CompanionCookies { .question(isSecure: server.isSecure) }

    var routes: [Route] {
        let inBrowser = SessionAccess.session(.everyClient, accepting: .enrollmentCookie).orWebSession
        // The OAuth state is in the address, and the question's token in its form: both count as a ticket.
        let back = OpenAccess.holder(of: .ticket, accepting: .enrollmentCookie, .questionCookie, .webSession)
        return [
            Route(.get, "/api/mobile/enrollment/banks", access: .session(.wallet), use: list),
            Route(.post, "/api/mobile/enrollment/start/{bsimId}", access: .session(.wallet), use: startInApp),
            Route(.get, "/api/enrollment/start/{bsimId}", access: inBrowser, use: startInBrowser),
            Route(.get, Self.callback + "{bsimId}", access: back, use: finish),
            Route(.post, "/api/enrollment/confirm", access: .holder(of: .ticket), use: confirm),
        ]
    }

    /// `GET /api/mobile/enrollment/banks`: lists the banks of the config, by id.
    private func list(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let shown = wallet.banks.values.sorted { $0.id < $1.id }.map {
            BankView(bsimId: $0.id, name: $0.name, logoUrl: $0.logoURL)
        }
        return JSONReply.encode(BanksResponse(banks: shown))
    }

    /// `POST /api/mobile/enrollment/start/{bsimId}`: for an app that opens its own browser.
    private func startInApp(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let bank = try bank(context)
        let asked = try await server.body.decodeIfPresent(StartEnrollmentRequest.self, from: request)?.deepLink
        // The whole address is compared: an address that only begins like a listed one, or contains one, is refused.
        if let asked, !wallet.deepLinks.contains(asked) { throw APIError.deepLinkNotAllowed }
        let started = try await begin(
            bank,
            who,
            browser: nil,
            endingAt: .app(deepLink: asked ?? wallet.deepLinks.first)
        )
        return Self.reply(started, bank)
    }

    /// `GET /api/enrollment/start/{bsimId}`: redirects a browser to the bank, or returns the address as JSON on
    /// request.
    ///
    /// A browser sends its session's cookie even if another site's page leads here. That site may have signed the
    /// browser in at the bank as another person before.
    private func startInBrowser(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let isByCookie = PresentedToken(request) == nil
        guard !isByCookie || server.ownPages.sent(request) else {
            return pages.crossSite(in: texts(request, context))
        }
        let bank = try bank(context)
        let isMobile = FormBody.field("mobile", in: request.uri.query ?? "") == "true"
        let asksJSON = request.headers[.accept]?.lowercased() == JSONReply.contentType
        // An app that asks for JSON opens a browser that lacks the app's cookies.
        let browser = asksJSON && !isByCookie ? nil : cookies.secret(request) ?? environment.newSecret()
        let started = try await begin(
            bank,
            who,
            browser: browser,
            endingAt: isMobile ? .app(deepLink: wallet.deepLinks.first) : .page
        )
        var response = asksJSON ? Self.reply(started, bank) : .seeOther(started.authURL)
        if let browser { cookies.set(browser, on: &response) }
        return response
    }

    /// `GET /api/enrollment/callback/{bsimId}`: the address to which the bank redirects the browser.
    private func finish(_ request: Request, _ context: APIContext) async throws -> Response {
        try await page(request, context) { texts in
            try await limits?.admitReturn(request, context)
            let query = request.uri.query ?? ""
            let outcome = try await service.handleCallback(
                AuthorizationCallback { FormBody.field($0, in: query) },
                bankID: context.parameters.get("bsimId") ?? "",
                bank: { wallet.banks[$0] },
                browser: cookies.secret(request),
                question: questions.secret(request),
                webAccount: try await browser.anySession(request)?.account
            )
            // The published app waits for the redirect in a browser that asks its person nothing.
            if case .ended(let end) = outcome, let link = end.link() { return .seeOther(link) }
            return try await answer(outcome, for: request, in: texts)
        }
    }

    /// `POST /api/enrollment/confirm`: the person's answer to the question whose wallet it is.
    private func confirm(_ request: Request, _ context: APIContext) async throws -> Response {
        try await page(request, context) { texts in
            guard server.ownPages.sent(request) else { return pages.crossSite(in: texts) }
            try await limits?.admitReturn(request, context)
            let form = try await FormBody.text(of: request, upTo: Self.formLimit) ?? ""
            guard let token = FormBody.field("token", in: form),
                let decision = FormBody.field("decision", in: form), ["add", "cancel"].contains(decision)
            else { return pages.refused(.malformed, in: texts) }
            let outcome = try await service.confirm(token: Secret(token), agrees: decision == "add") {
                wallet.banks[$0]
            }
            return try await answer(outcome, for: request, in: texts)
        }
    }

    /// Returns the texts for the wallet's pages: every enrolment is begun in the wallet.
    private func texts(_ request: Request, _ context: APIContext) -> LocalizedStrings {
        context.language.texts(for: request).branded(for: wallet.client)
    }

    private func bank(_ context: APIContext) throws(APIError) -> Bank {
        guard let bank = context.parameters.get("bsimId").flatMap({ wallet.banks[$0] }) else { throw .bankNotFound }
        return bank
    }

    private func begin(
        _ bank: Bank,
        _ who: SignedIn,
        browser: Secret?,
        endingAt destination: EnrolmentDestination
    ) async throws -> StartedEnrolment {
        try await limits?.admitStart(by: who.account)
        return try await service.start(
            BankEnrolmentRequest(
                initiator: EnrolmentInitiator(account: who.account, session: who.session),
                bank: bank,
                redirectURI: server.publicURL + Self.callback + bank.id,
                browser: browser,
                destination: destination,
                needsConfirmation: wallet.needsConfirmation
            )
        )
    }

    private func answer(
        _ outcome: CallbackOutcome,
        for request: Request,
        in texts: LocalizedStrings
    ) async throws -> Response {
        switch outcome {
        case .ended(let end):
            guard let link = end.link() else { return pages.ended(end, in: texts) }
            return AppLinkPage.onward(to: link, ending: Self.ending(of: end), for: request, in: texts)
        case .refused(let refusal): return pages.refused(refusal, in: texts)
        case .confirm(let token, let account, let bank, let cards):
            guard let profile = try await accounts.active(account)?.profile else {
                return pages.refused(.unknown, in: texts)
            }
            // The masked name: its owner recognises it, and other people cannot learn it.
            let owner =
                profile.email.map { MaskedEmail.mask($0.text) }
                ?? MaskedEmail.mask(name: profile.username?.text ?? profile.account.displayName)
            var page = pages.question(token: token, owner: owner, bank: bank.name, cards: cards, in: texts)
            questions.set(token, on: &page)
            return page
        }
    }

    private static func ending(of end: EnrolmentEnd) -> AppLinkPage.Ending {
        switch end.result {
        case .success: .cardsAdded
        case .failure: .cardsNotAdded
        }
    }

    private static func reply(_ started: StartedEnrolment, _ bank: Bank) -> Response {
        JSONReply.encode(
            StartEnrollmentResponse(
                authUrl: started.authURL,
                bsimId: bank.id,
                expiresIn: Int(started.expiresIn.secondsRoundedUp)
            )
        )
    }

    /// Turns every error into a page, because a person reads the answer.
    private func page(
        _ request: Request,
        _ context: APIContext,
        with answer: (LocalizedStrings) async throws -> Response
    ) async throws -> Response {
        let texts = texts(request, context)
        do { return try await answer(texts) } catch {
            throw PageError(cause: error, page: pages.fault(APIError(error, bodyLimit: server.bodyLimit), in: texts))
        }
    }
}
