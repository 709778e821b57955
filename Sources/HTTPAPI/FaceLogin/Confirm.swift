import Hummingbird
import Kernel
import Operations
import Passkeys

extension FaceLoginAPI {
    /// `POST /go/{ticket}/passkey/options`: what the page's script calls the browser with.
    ///
    /// The same for every login whose page asks, a decoy's as well. 404 for one whose page asks for no passkey.
    func beginConfirmation(_ request: Request, _ context: APIContext) async throws -> Response {
        guard ownPages.sent(request) else { throw APIError.originNotAllowed }
        let visit = visit(request, context)
        try service.admitOpening(ticket: visit.ticket, from: following.source(of: request, context))
        guard let passkeys, case .confirm(let view) = landing(visit), view.asksPasskey else {
            throw APIError.operationNotFound
        }
        return JSONReply.encode(try await passkeys.options(for: visit.ticket, request, context))
    }

    /// `POST /go/{ticket}/passkey`: does what the press does, for whoever has shown a passkey of the account.
    ///
    /// Opens no session, and sets no cookie but the one that the press sets.
    func confirm(_ request: Request, _ context: APIContext) async throws -> Response {
        try await post(request, context, as: visit(request, context, isBelow: true)) { visit in
            switch landing(visit) {
            case .confirm: break
            case .over, .goOn, .outcome: return over(visit)
            }
            let form = try await FormBody.text(of: request, upTo: FormBody.passkeyLimit) ?? ""
            guard let passkeys, let answer = FormBody.field("passkey", in: form) else { throw APIError.malformedJSON }
            return try await start(
                visit,
                number: FormBody.field("number", in: form),
                with: try await passkeys.confirmation(answer, for: visit.ticket),
                request
            )
        }
    }
}
