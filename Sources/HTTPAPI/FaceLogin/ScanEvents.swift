import Hummingbird
import Kernel
import Operations

extension FaceLoginAPI {
    /// `GET /go/{ticket}/events`: streams the progress of the scan to the browser that began it.
    ///
    /// Any other browser gets the answer for an unknown link, whatever happens to the operation. Decoys have no scan, so
    /// that their answer is the same.
    func scanEvents(_ request: Request, _ context: APIContext) async throws -> Response {
        let ticket = context.parameters.get("ticket") ?? ""
        let cookie = CompanionCookies.scan(isSecure: isSecure).word(request)
        let browser = cookie.map { Digest256(sha256: $0.expose()) }
        // A request without the cookie costs no read.
        if browser != nil { try await service.load(ticket: ticket) }
        let admitted = try admit(ticket, in: browser, for: request, in: context)
        guard let browser, let operation = admitted else { throw APIError.operationNotFound }
        return try await following.stream(
            of: operation.credentials.publicID,
            to: .browser(browser),
            for: request,
            in: context,
            kind: operation.request.purpose.kind
        )
    }

    private func admit(
        _ ticket: String,
        in browser: Digest256?,
        for request: Request,
        in context: APIContext
    ) throws(APIError) -> Operations.Operation? {
        do throws(LimitExceededError) {
            return try service.admitScanView(ticket: ticket, in: browser) { following.source(of: request, context) }
        } catch { throw following.refusal(error) }
    }
}
