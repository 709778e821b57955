import HTTPTypes
import Hummingbird
import Kernel
import Operations
import Wire

extension FaceLoginAPI {
    /// `GET /go/{ticket}/return`: where a provider sends the browser after the scan.
    ///
    /// Does nothing for a browser without the cookie of the scan.
    @Sendable func comeBack(_ request: Request, _ context: APIContext) async throws -> Response {
        let visit = visit(request, context)
        guard visit.hasTicket else { return pages.render(.over, of: visit.kind, in: visit.texts) }
        do {
            switch try await desk.handBack(ticket: visit.ticket, browserCookie: visit.cookie) {
            case .toApp(let address): return Response(status: .seeOther, headers: [.location: address.expose()])
            case .underWay: return pages.render(.underWay, of: visit.kind, in: visit.texts)
            case .landing: return toLanding(visit)
            }
        } catch { throw PageFault(cause: error, page: toLanding(visit)) }
    }

    /// The landing page's forms are meant for its own address.
    private func toLanding(_ visit: Visit) -> Response {
        Response(status: .seeOther, headers: [.location: "\(settings.publicURL)/go/\(visit.ticket)"])
    }

    /// The address of the app that the browser is to be sent back to; `nil` where the app names none.
    func returnURL(_ order: InitiateLoginRequest, _ policy: ClientPolicy) throws -> String? {
        guard let url = order.returnUrl else {
            guard !policy.landing.requiresReturn else { throw Problem.invalidReturnURL }
            return nil
        }
        // Byte for byte (RFC 9700 §2.1, §4.1.3): anything looser has been a way in.
        guard policy.landing.returnURLs.contains(where: { $0.utf8.elementsEqual(url.utf8) }) else {
            throw Problem.invalidReturnURL
        }
        return url
    }
}
