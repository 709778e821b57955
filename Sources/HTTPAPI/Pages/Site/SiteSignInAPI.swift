import HTTPTypes
import Hummingbird
import Kernel
import Operations
import Web

/// The address where people sign in to the site by themselves: it leads to the sign-in page, and back to the home page.
struct SiteSignInAPI: Sendable {
    let signIn: PageSignIn
    let limits: AddressGate
    let pages: SignInPages

    var routes: [Route] {
        Route.document(SitePage.signIn.path, access: .everybody(accepting: .interactionCookie), use: begin)
    }

    /// `GET|HEAD /login.html`: begins a sign-in; a browser that comes back from one continues at the home page.
    private func begin(_ request: Request, _ context: APIContext) async throws -> Response {
        guard request.uri.path == SitePage.signIn.path else { throw APIError.notFound }
        let query = request.uri.query ?? ""
        // The code of a sign-in, or the error of one that the person has cancelled. Neither is of any use.
        guard FormBody.field("code", in: query) == nil, FormBody.field("error", in: query) == nil else {
            return .seeOther(SitePage.home.link)
        }
        do {
            try await limits.admit(.initiatePerAddress, for: request, in: context)
            return try await signIn.begin(carrying: nil, request, wanting: nil) { _ in SitePage.signIn.path }
        } catch {
            let problem = APIError(error, bodyLimit: signIn.server.bodyLimit)
            let location = PageLocation(id: "", isBelow: false, isSite: true)
            let page = pages.notice(SignInNotice(of: problem), at: location, in: context.language.texts(for: request))
            throw PageError(cause: error, page: page.retry(after: problem.retryAfter))
        }
    }
}
