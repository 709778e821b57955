import HTTPTypes
import Hummingbird
import Kernel
import Operations
import Web

extension FaceLoginAPI {
    /// `GET|HEAD /go/{ticket}/return/{secret}`: the page to which a provider sends the browser after the scan.
    ///
    /// The page continues by POST: fetching it changes nothing.
    func showReturn(_ request: Request, _ context: APIContext) async throws -> Response {
        let visit = visit(request, context)
        guard visit.hasTicket, let location = service.returnTarget(ticket: visit.ticket) else {
            return pages.render(.over, of: visit.kind, in: visit.texts)
        }
        return pages.render(.comingBack, of: visit.kind, in: visit.texts, leadingTo: location.app)
    }

    /// `POST /go/{ticket}/return/{secret}`: sends the browser on to the app, once the scan is accepted.
    ///
    /// Does nothing for a browser without the cookie of the scan, or without the secret of its return.
    func returnToApp(_ request: Request, _ context: APIContext) async throws -> Response {
        var visit = visit(request, context)
        visit.leadsTo = service.returnTarget(ticket: visit.ticket)?.app
        let secret = context.parameters.get("secret") ?? ""
        return try await post(request, context, as: visit) { visit in
            switch try await service.redirectBack(ticket: visit.ticket, secret: secret, browserCookie: visit.cookie) {
            case .toApp(let address): .seeOther(address.expose())
            case .inProgress: pages.render(.inProgress, of: visit.kind, in: visit.texts, leadingTo: visit.leadsTo)
            case .elsewhere: ending(visit)
            }
        }
    }

    /// Returns the page of the outcome, for the browser of the scan.
    ///
    /// The landing page would start another scan by itself for somebody who finished one just now.
    private func ending(_ visit: Visit) -> Response {
        switch landing(visit) {
        case .outcome: show(visit)
        case .over, .proceed, .confirm: pages.render(.elsewhere, of: visit.kind, in: visit.texts)
        }
    }
}
