import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Web

// After a sign-in without a passkey, the page offers one, if the browser can keep it. The person may say "not now".
extension SignInPageAPI {
    /// The parameter with which the page comes back to itself after a sign-in in a browser that can keep a passkey.
    static let offer = "offer"

    /// Returns the answer to a form that has signed the person in: the page leads on to the next step.
    func onward(_ form: SignInForm, _ signIn: SignInContext) -> Response {
        let page = signIn.location.page + (form.canKeepPasskeys ? "?\(Self.offer)=1" : "")
        return pages.onward(to: page, at: signIn.location, in: signIn.texts)
    }

    /// Returns the answer to a form for which it is too late: the page leads on to the next step.
    func next(_ signIn: SignInContext) -> Response {
        pages.onward(to: signIn.location.page, at: signIn.location, in: signIn.texts)
    }

    /// Returns the page that offers a passkey before the sign-in leads on; `nil` if it offers none.
    func offeringPasskey(_ request: Request, _ signIn: SignInContext) async throws -> Response? {
        guard request.uri.queryParameters[Self.offer[...]] != nil, !offers.memory.wantsNoPasskey(request),
            !offers.settable([.passkey], for: signIn.client).isEmpty,
            let proven = signIn.interaction.proven, proven.authentication.passkey == nil
        else { return nil }
        // A passkey of the account may be on another device: only a browser that used one has no need of another.
        if offers.memory.hasUsedPasskey(request), try await hasPasskey(proven.account) { return nil }
        guard try await offers.setUp.isAllowed(to: proven) else { return nil }
        return pages.offer(of: signIn, waits: try await offers.setUp.waits(after: proven))
    }

    /// `POST /oauth/sign-in/{id}/later`: the person wants no passkey now, and this browser is not asked for a month.
    func skipPasskey(_ request: Request, _ context: APIContext) async throws -> Response {
        try await post(request, context) { signIn in
            var response = next(signIn)
            offers.memory.keepWantingNoPasskey(on: &response)
            return response
        }
    }
}
