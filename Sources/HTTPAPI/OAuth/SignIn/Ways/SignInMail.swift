import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import SignIn
import Web

/// Mailed codes on the sign-in page.
///
/// A code is valid in the interaction that asked for it alone, so that digits which somebody was talked into reading out
/// sign nobody in elsewhere. An address without an account gets the same pages, rows and limits, and no mail.
struct SignInMail: Sendable {
    let codes: EmailCodeService
    let signIn: MailedCodeSignIn
    let sessions: SignInSessions

    /// Sends a code, or does the work of sending one.
    func send(to email: EmailAddress, _ request: Request, in signIn: SignInContext) async throws {
        let client = try sessions.surface.policy().clientID
        // The owner answers for a client that registered itself, and so has no brand of its own.
        let codeRequest = EmailCodeRequest(
            email: email,
            device: Self.device(signIn),
            requester: signIn.requester,
            service: signIn.client.origin.isFirstParty ? signIn.client.name : signIn.texts.brand.name
        )
        _ = try await codes.send(codeRequest, recognise: sessions.recognition(request, client))
    }

    /// Signs the person in by the code.
    func open(
        _ email: EmailAddress,
        digits: Secret,
        for coming: SignInSessions.Coming,
        _ request: Request,
        in signIn: SignInContext
    ) async throws -> MailedCodeSignIn.Outcome {
        let client = coming.policy.clientID
        return try await self.signIn.open(
            EmailCodeTry(code: .address(email), device: Self.device(signIn), digits: digits),
            requester: signIn.requester,
            recognise: sessions.recognition(request, client),
            request: { coming.request(of: $0, by: .mailedCode) },
            alongside: coming.work
        )
    }

    /// The name of the page's browser as a device: the digest of the interaction's id, which no app sends.
    ///
    /// Its client is the one that the person signs in to, whose brand mails and their pages have.
    private static func device(_ signIn: SignInContext) -> DeviceName {
        DeviceName(client: signIn.client.id, device: "sign-in page \(Base64URL.encode(signIn.interaction.id.bytes))")
    }
}

extension SignInPageAPI {
    /// `POST /oauth/sign-in/{id}/mail`: mails a code, and shows the page that takes it, for known and unknown addresses.
    func sendCode(_ request: Request, _ context: APIContext) async throws -> Response {
        try await post(request, context) { signIn in
            let form = try await SignInForm(request)
            guard let mail = offers.mail, try await takes(.mail, signIn) else { return next(signIn) }
            guard let email = form.email else { return try await identify(again: form, signIn) }
            try await limits.admit(.signInsPerAddress, for: request, in: context)
            do { try await mail.send(to: email, request, in: signIn) } catch EmailCodeError.tooMany(let wait) {
                let page = pages.code(form, fault: .wait(wait), of: signIn)
                throw PageError(cause: EmailCodeError.tooMany(retryAfter: wait), page: page)
            }
            return pages.code(form, of: signIn)
        }
    }

    /// `POST /oauth/sign-in/{id}/code`: signs the person in by the mailed code.
    func takeCode(_ request: Request, _ context: APIContext) async throws -> Response {
        try await post(request, context) { signIn in
            let form = try await SignInForm(request)
            guard let mail = offers.mail, try await takes(.mail, signIn) else { return next(signIn) }
            guard let email = form.email else { return try await identify(again: form, signIn) }
            guard let digits = form.digits else { return pages.code(form, fault: .wrong(.codeWrong), of: signIn) }
            try await limits.admit(.signInsPerAddress, for: request, in: context)
            let coming = try mail.sessions.prepare(request, in: signIn, noting: service)
            switch try await mail.open(email, digits: digits, for: coming, request, in: signIn) {
            case .refused:
                let page = pages.code(form, fault: .wrong(.codeWrong), of: signIn)
                throw PageError(cause: APIError.unauthorized(.badCode), page: page)
            case .tooMany(let wait):
                let page = pages.code(form, fault: .wait(wait), of: signIn)
                throw PageError(cause: APIError.rateLimited(for: wait, by: .wrongCodes), page: page)
            case .opened(let opened):
                var response = onward(form, signIn)
                mail.sessions.set(opened, of: coming, on: &response, for: request)
                offers.memory.keep(.mail, on: &response)
                return response
            }
        }
    }
}
