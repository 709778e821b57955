import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import Operations
import SignIn
import Web

/// The pages behind the links in mails: one shows a sign-in code, and one confirms an address.
///
/// GET changes nothing, because mail programs and scanners follow links.
struct MailLinksAPI: Sendable {
    let codes: EmailCodeService
    let proofs: AddressProofService
    let linked: LinkedDevices
    let following: Following
    let pages: MailPages

    var routes: [Route] {
        Route.document("/mail/code/{token}", access: .holder(of: .mailLink), use: showCode)
            + Route.document("/mail/address/{token}", access: looking, use: askForProof)
            + [Route(.post, "/mail/address/{token}", access: proving, use: prove)]
    }

    private var looking: OpenAccess { .holder(of: .mailLink, accepting: .deviceCookie, .deviceCredential) }

    private var proving: OpenAccess {
        .holder(of: .mailLink, accepting: .credentials, .deviceCookie, .deviceCredential)
    }

    /// `GET|HEAD /mail/code/{token}`: shows the code to type on the device that requested it.
    private func showCode(_ request: Request, _ context: APIContext) async throws -> Response {
        try await page(request, context) { token in
            guard let shown = try await codes.digits(of: token) else { return .codeOver }
            let minutes = max(1, Int((shown.expiresIn.wholeMilliseconds + 59_999) / 60_000))
            return .code(shown.digits.expose(), minutes: minutes, client: shown.client)
        }
    }

    /// `GET|HEAD /mail/address/{token}`: asks whether to confirm the address.
    private func askForProof(_ request: Request, _ context: APIContext) async throws -> Response {
        let evidence = PresentedDevice(request)
        return try await page(request, context) { token in
            let look = try await proofs.look(at: token) { [linked] account, transaction in
                try linked.device(provedBy: evidence, of: account, in: transaction)
            }
            return switch look {
            case .open(let hasPassword, let isOwnDevice, let service):
                .proof(asksPassword: hasPassword, signsOut: !isOwnDevice, service: service)
            case .over: .proofOver
            }
        }
    }

    /// `POST /mail/address/{token}`: confirms the address, with the account's password if one was typed.
    private func prove(_ request: Request, _ context: APIContext) async throws -> Response {
        try await page(request, context) { token in
            let typed = try await FormBody.field("password", of: request, upTo: FormBody.passwordLimit) ?? ""
            let evidence = PresentedDevice(request)
            let outcome = try await proofs.prove(
                token,
                password: typed.isEmpty ? nil : Secret(typed),
                presenting: evidence,
                requester: context.requester(of: request)
            ) { [linked] account, transaction in
                try linked.device(provedBy: evidence, of: account, in: transaction)
            }
            switch outcome {
            case .proven: return .proven
            case .over: return .proofOver
            case .wrongPassword(let service):
                following.service.refusals.count(TalliedEvent.wrongPassword)
                return .wrongPassword(service: service)
            case .lockedOut(let wait): throw LockedOutError(wait: wait)
            }
        }
    }

    /// Turns every error into a page, because a person reads the answer.
    private func page(
        _ request: Request,
        _ context: APIContext,
        answer: (Secret) async throws -> MailPages.Page
    ) async throws -> Response {
        let texts = context.language.texts(for: request)
        do {
            try await following.service.admit(.signInsPerAddress, from: following.source(of: request, context))
            let token = Secret(String((context.parameters.get("token") ?? "").prefix(128)))
            let page = try await answer(token)
            return pages.render(page, in: texts.branded(for: page.client))
        } catch {
            let apiError = APIError(error, bodyLimit: following.bodyLimit)
            let isBusy = apiError.status == .tooManyRequests
            let page = pages.render(isBusy ? .busy : .serverDown, in: texts)
            throw PageError(cause: error, page: page.retry(after: apiError.retryAfter))
        }
    }
}
