import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import SignIn
import Web

/// The pages on which people see and manage their own account, with forms that work without scripts.
///
/// Only the cookie of a browser's session tells who the person is. GET changes nothing. Every form has to come from
/// this server's own pages, with the token of the browser's session. A thing of another account counts as unknown. A
/// change that needs a fresh proof sends the person to the sign-in page, and continues afterwards.
struct AccountCentreAPI: Sendable {
    /// The largest form in bytes: a passkey's name, or two passwords with every byte escaped.
    private static let formLimit = 2 * FormBody.passwordLimit + 1024
    /// The most sessions and operations that the overview reads.
    static let mostRead = 50

    let reader: AccountReader
    let changes: AccountChanges
    let stepUp: AccountStepUp
    let offers: AccountOffers
    let environment: Environment
    let server: ServerConfiguration
    let pages: AccountPages

    private var cookies: CompanionCookies { server.webSessionCookie }
    var services: HTTPServices { reader.services }

    var routes: [Route] {
        let seeing = GuestAccess.browser(accepting: .interactionCookie)
        let changing = GuestAccess.browser(accepting: .interactionCookie, .deviceCookie, .deviceCredential)
        return [
            Route(.get, "/account", access: seeing, use: showOverview),
            Route(.get, "/account/{page}", access: seeing, use: showPage),
            Route(.post, "/account/{page}", access: changing, use: submit),
        ]
    }

    /// `GET /account`: everything of the account, or the sign-in page for a person who is not signed in.
    private func showOverview(_ request: Request, _ context: APIContext, by guest: Guest) async throws -> Response {
        // A trailing slash would break the page's relative addresses.
        guard request.uri.path == "/account" else { throw APIError.notFound }
        return try await answering(request, context, at: AccountLocation(isBelow: false)) { location in
            guard let visit = try await visit(request, context, by: guest, at: location) else {
                return try await stepUp.begin(returningTo: nil, request, context)
            }
            let now = environment.now()
            guard
                let read = try await reader.overview(of: visit.who.account, most: Self.mostRead, at: now)
            else { return try await stepUp.begin(returningTo: nil, request, context) }
            let page = OverviewPage(
                read: read,
                reader: reader,
                visit: visit,
                now: now,
                offers: offers,
                newPasskeysWait: try await !stepUp.enrolmentPolicy.countsAtOnce(addedBy: visit.who.means)
            )
            let done = FormBody.field("done", in: request.uri.query ?? "").flatMap { AccountDone(rawValue: $0) }
            return pages.render(page.content(after: done), at: location, in: visit.texts)
        }
    }

    /// `GET /account/{page}`: the page of one change, which first asks for a fresh proof where the change needs one.
    private func showPage(_ request: Request, _ context: APIContext, by guest: Guest) async throws -> Response {
        guard let page = page(context), page.isShown, !request.uri.path.hasSuffix("/") else { throw APIError.notFound }
        return try await answering(request, context, at: AccountLocation(isBelow: true)) { location in
            guard let visit = try await visit(request, context, by: guest, at: location) else {
                return try await stepUp.begin(returningTo: page, id: Self.id(in: request), request, context)
            }
            if let proving = try await prove(visit, for: page) { return proving }
            return try await show(page, visit)
        }
    }

    /// `POST /account/{page}`: makes the change.
    private func submit(_ request: Request, _ context: APIContext, by guest: Guest) async throws -> Response {
        guard let page = page(context), !request.uri.path.hasSuffix("/") else { throw APIError.notFound }
        return try await answering(request, context, at: AccountLocation(isBelow: true)) { location in
            let texts = context.language.texts(for: request)
            guard server.ownPages.sent(request) else { return pages.notice(.crossSite, at: location, in: texts) }
            let form = try await FormBody.text(of: request, upTo: Self.formLimit) ?? ""
            guard var visit = try await visit(request, context, by: guest, at: location) else {
                return try await stepUp.begin(returningTo: page.isShown ? page : nil, request, context)
            }
            guard AccountFormToken.isRight(form, for: request, cookies) else {
                return pages.notice(.foreignForm, at: location, in: texts)
            }
            visit.form = form
            if let proving = try await prove(visit, for: page) { return proving }
            return try await finish(try await change(page, visit), visit)
        }
    }

    func finish(_ outcome: AccountOutcome, _ visit: AccountVisit) async throws -> Response {
        switch outcome {
        case .answer(let response): response
        case .done(let done): .seeOther("\(visit.location.home)?done=\(done.rawValue)#status")
        }
    }

    /// Returns the answer that has the person prove more; `nil` if the page needs no more.
    private func prove(_ visit: AccountVisit, for page: AccountPage) async throws -> Response? {
        var needsProof = page.needsFreshProof
        if page == .login { needsProof = try await endsSession(visit) }
        guard needsProof else { return nil }
        switch try await stepUp.lack(of: visit.who) {
        case nil: return nil
        case .fresh:
            return try await stepUp.begin(returningTo: page, id: visit.id, visit.request, visit.context)
        case .strong: return pages.stronger(visit, for: page)
        }
    }

    /// Returns the visit of a signed-in person, whose requests count against the session's limit.
    private func visit(
        _ request: Request,
        _ context: APIContext,
        by guest: Guest,
        at location: AccountLocation
    ) async throws -> AccountVisit? {
        guard let who = try await guest.signedIn(), let token = AccountFormToken.token(request, cookies) else {
            return nil
        }
        try await services.operations.service.admit(.ownerViewsPerSession, of: who.session)
        return AccountVisit(
            request: request,
            context: context,
            who: who,
            texts: context.language.texts(for: request),
            location: location,
            token: token
        )
    }

    /// Answers with a page, errors included, because a person reads the answer.
    private func answering(
        _ request: Request,
        _ context: APIContext,
        at location: AccountLocation,
        with answer: (AccountLocation) async throws -> Response
    ) async throws -> Response {
        let texts = context.language.texts(for: request)
        do { return try await answer(location) } catch is AccountThingMissingError {
            return pages.notice(.missing, at: location, in: texts)
        } catch is SessionEndedError {
            return pages.notice(.signedOut, at: location, in: texts)
        } catch {
            let problem = APIError(error, bodyLimit: server.bodyLimit)
            let page = pages.notice(.fault(of: problem), at: location, in: texts)
            throw PageError(cause: error, page: page.retry(after: problem.retryAfter))
        }
    }

    private func page(_ context: APIContext) -> AccountPage? {
        context.parameters.get("page").flatMap { AccountPage(rawValue: String($0)) }
    }

    /// Returns the id of a page's address, as far as it can be one.
    private static func id(in request: Request) -> String {
        String((FormBody.field("id", in: request.uri.query ?? "") ?? "").prefix(64))
    }
}

/// The changes of an account that other routes make too.
struct AccountChanges: Sendable {
    let email: EmailChangeAPI
    let password: PasswordChangeAPI
    /// `nil` if faces can't be set up.
    let enrolment: EnrolmentAPI?
    let coolingOff: CoolingOff
}
