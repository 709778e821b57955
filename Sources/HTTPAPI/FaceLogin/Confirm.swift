import Hummingbird
import Kernel
import Operations
import Passkeys

extension FaceLoginAPI {
    /// `POST /go/{ticket}/passkey/options`: the options with which the page's script calls the browser.
    ///
    /// They are the same for every login whose page asks for a passkey, decoys included, and name no passkey. The
    /// passkey's account is checked with the browser's answer. The challenge is tied to the ticket: no sign-in accepts
    /// this signature, and no page accepts the signature of a sign-in or of another page. The answer is 404 for a login
    /// whose page asks for no passkey.
    func beginConfirmation(_ request: Request, _ context: APIContext) async throws -> Response {
        guard server.ownPages.sent(request) else { throw APIError.originNotAllowed }
        let pageRequest = try await pageRequest(request, context)
        try await service.admitOpening(ticket: pageRequest.ticket, from: following.source(of: request, context))
        guard let passkeys = proofs.passkeys, case .confirm(let view) = landing(pageRequest), view.asksPasskey else {
            throw APIError.operationNotFound
        }
        try await passkeys.source.admit(.byChallengeID, for: request, in: context)
        let ceremony = passkeys.signIn(boundTo: .ticket(Secret(pageRequest.ticket)), request, context)
        return JSONReply.encode(try await passkeys.service.begin(ceremony))
    }

    /// `POST /go/{ticket}/passkey`: does the same as the page's button, after a passkey of the account was presented.
    ///
    /// Opens no session, and sets only the cookie that the button sets.
    func confirm(_ request: Request, _ context: APIContext) async throws -> Response {
        try await post(request, context, as: pageRequest(request, context, isBelow: true)) { pageRequest in
            switch landing(pageRequest) {
            case .confirm: break
            // The browser has confirmed before.
            case .progress: return try await start(pageRequest, number: nil, request)
            case .over, .proceed, .outcome: return over(pageRequest)
            }
            let form = try await FormBody.text(of: request, upTo: FormBody.passkeyLimit) ?? ""
            guard let passkeys = proofs.passkeys, let answer = FormBody.field("passkey", in: form) else {
                throw APIError.malformedJSON
            }
            return try await start(
                pageRequest,
                number: FormBody.field("number", in: form),
                with: try await confirmation(answer, for: pageRequest.ticket, by: passkeys.service),
                request
            )
        }
    }

    /// Checks the browser's answer, and does not use up its challenge yet.
    private func confirmation(
        _ answer: String,
        for ticket: String,
        by service: PasskeyService
    ) async throws -> PasskeyConfirmation {
        guard let json = try? JSONReader.read(Array(answer.utf8)) else { throw APIError.malformedJSON }
        let checked = try await service.check(signIn: json, from: .ticket(Secret(ticket)))
        return PasskeyConfirmation(account: checked.account, passkey: checked.passkeyID) { transaction in
            try service.redeem(checked, in: transaction)
        }
    }
}
