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
/// sign nobody in elsewhere. An address without an account gets the same pages, rows and limits. It gets no mail unless
/// the code opens an account.
struct SignInMail: Sendable {
    let codes: EmailCodeService
    let signIn: MailedCodeSignIn
    let sessions: SignInSessions
    let gate: AddressGate

    /// Sends a code, or does the work of sending one.
    ///
    /// `opensAccount`: Whether the code opens an account for an address without one.
    func send(
        to email: EmailAddress,
        opensAccount: Bool,
        _ request: Request,
        in context: APIContext,
        of signIn: SignInContext
    ) async throws {
        let client = try sessions.surface.policy().clientID
        // The owner answers for a client that registered itself, and so has no brand of its own.
        let codeRequest = EmailCodeRequest(
            email: email,
            device: Self.device(signIn),
            requester: signIn.requester,
            service: signIn.client.origin.isFirstParty ? signIn.client.name : signIn.texts.brand.name,
            newcomer: opensAccount ? try await newcomersTurn(email, for: request, in: context) : nil
        )
        _ = try await codes.send(codeRequest, recognise: sessions.recognition(request, client))
    }

    /// Returns the turn of a mail to an address without an account; `nil` after too many from the request's network.
    ///
    /// The request is not refused then: an account's address gets its code, and the answer must not tell it apart.
    private func newcomersTurn(
        _ email: EmailAddress,
        for request: Request,
        in context: APIContext
    ) async throws -> MailboxTurn? {
        do {
            return try await gate.admitProofMail(to: email, for: request, in: context)
        } catch is LimitExceededError {
            return nil
        }
    }

    /// Signs the person in by the code.
    func open(
        _ email: EmailAddress,
        digits: Secret,
        opening registrations: RegistrationService?,
        for coming: SignInSessions.Coming,
        _ request: Request,
        in signIn: SignInContext
    ) async throws -> MailedCodeSignIn.Outcome {
        let client = coming.policy.clientID
        return try await self.signIn.open(
            EmailCodeTry(code: .address(email), device: Self.device(signIn), digits: digits),
            requester: signIn.requester,
            recognise: sessions.recognition(request, client),
            opening: registrations,
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
            let opens = registrationsByCode(signIn) != nil
            do {
                try await mail.send(to: email, opensAccount: opens, request, in: context, of: signIn)
            } catch EmailCodeError.tooMany(let wait) {
                let page = pages.code(form, fault: .wait(wait), opensAccount: opens, of: signIn)
                throw PageError(cause: EmailCodeError.tooMany(retryAfter: wait), page: page)
            }
            return pages.code(form, opensAccount: opens, of: signIn)
        }
    }

    /// Returns what opens an account by a mailed code alone; `nil` where no code does.
    ///
    /// One does where an address can open an account at all, and nobody has proved who they are yet. A browser that is
    /// signed in, and a client that named an account, mean an account that exists.
    private func registrationsByCode(_ signIn: SignInContext) -> RegistrationService? {
        guard mayOpenAccount(signIn), signIn.person == nil, signIn.interaction.request.demands.hintedAccount == nil
        else { return nil }
        return offers.registration?.passwords?.service
    }

    /// `POST /oauth/sign-in/{id}/code`: signs the person in by the mailed code.
    func takeCode(_ request: Request, _ context: APIContext) async throws -> Response {
        try await post(request, context) { signIn in
            let form = try await SignInForm(request)
            guard let mail = offers.mail, try await takes(.mail, signIn) else { return next(signIn) }
            guard let email = form.email else { return try await identify(again: form, signIn) }
            let registrations = registrationsByCode(signIn)
            let opens = registrations != nil
            guard let digits = form.digits else {
                return pages.code(form, fault: .wrong(.codeWrong), opensAccount: opens, of: signIn)
            }
            try await limits.admit(.signInsPerAddress, for: request, in: context)
            let coming = try mail.sessions.prepare(request, in: signIn, noting: service)
            let outcome = try await mail.open(
                email,
                digits: digits,
                opening: registrations,
                for: coming,
                request,
                in: signIn
            )
            switch outcome {
            case .refused:
                let page = pages.code(form, fault: .wrong(.codeWrong), opensAccount: opens, of: signIn)
                throw PageError(cause: APIError.unauthorized(.badCode), page: page)
            case .unverified:
                let page = pages.code(form, fault: .wrong(.addressUnverified), opensAccount: opens, of: signIn)
                throw PageError(cause: APIError.emailNotVerified, page: page)
            case .tooMany(let wait):
                let page = pages.code(form, fault: .wait(wait), opensAccount: opens, of: signIn)
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
