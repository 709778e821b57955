import HTTPTypes
import Hummingbird
import Kernel
import Operations
import Web

extension FaceLoginAPI {
    /// `GET|HEAD /go/{ticket}/return/{secret}`: the page to which a provider sends the browser after the scan.
    ///
    /// Fetching it changes nothing: its form continues by POST.
    func showReturn(_ request: Request, _ context: APIContext) async throws -> Response {
        let pageRequest = try await pageRequest(request, context)
        guard pageRequest.hasTicket, let location = service.returnTarget(ticket: pageRequest.ticket) else {
            return pages.render(.over, of: pageRequest.kind, in: pageRequest.texts)
        }
        return pages.render(.comingBack, of: pageRequest.kind, in: pageRequest.texts, leadingTo: location.app)
    }

    /// `POST /go/{ticket}/return/{secret}`: sends the browser on to the app, once the scan is accepted.
    ///
    /// Changes nothing for a browser without the scan's cookie or without the secret of its return address.
    func returnToApp(_ request: Request, _ context: APIContext) async throws -> Response {
        var pageRequest = try await pageRequest(request, context)
        pageRequest.leadsTo = service.returnTarget(ticket: pageRequest.ticket)?.app
        let secret = context.parameters.get("secret") ?? ""
        return try await post(request, context, as: pageRequest) { pageRequest in
            switch try await service.redirectBack(
                ticket: pageRequest.ticket,
                secret: secret,
                browserCookie: pageRequest.visitor.cookie
            ) {
            case .toApp(let address):
                AppLinkPage.onward(
                    to: address.expose(),
                    ending: pageRequest.needsReturn ? .loginInApp : .login,
                    for: request,
                    in: pageRequest.texts
                )
            // Without an app to continue in, the page of the progress also shows the outcome.
            case .inProgress where pageRequest.leadsTo == nil: .seeOther("../../\(pageRequest.ticket)")
            case .inProgress:
                pages.render(.inProgress, of: pageRequest.kind, in: pageRequest.texts, leadingTo: pageRequest.leadsTo)
            case .elsewhere: ending(pageRequest)
            }
        }
    }

    /// Returns the page of the outcome, for the browser of the scan.
    ///
    /// The landing page would start a second scan for a person who has just finished one.
    private func ending(_ pageRequest: PageRequest) -> Response {
        switch landing(pageRequest) {
        case .outcome: show(pageRequest)
        case .over, .proceed, .confirm, .progress: pages.render(.elsewhere, of: pageRequest.kind, in: pageRequest.texts)
        }
    }
}
