import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import SignIn
import Web

/// The accounts that people open on the sign-in page.
struct SignInRegistration: Sendable {
    /// Whether a passkey opens an account.
    let takesPasskeys: Bool
    /// `nil` where a password opens none.
    let passwords: ByPassword?

    /// Opens accounts with an address and a password.
    struct ByPassword: Sendable {
        let service: RegistrationService
        let opening: AccountOpening
        let sessions: SignInSessions
        let gate: AddressGate
    }
}

extension SignInRegistration.ByPassword {
    /// Opens the account and its first session, and mails the link that verifies the address.
    func open(
        from form: SignInForm,
        for coming: SignInSessions.Coming,
        _ request: Request,
        _ context: APIContext,
        in signIn: SignInContext
    ) async throws -> OpenedSession? {
        let record = try await service.prepare(
            Registration(email: form.field("email"), name: form.field("name"), password: form.password)
        )
        var mail: AccountOpening.ProofMail?
        if let email = record.profile.email {
            let turn = try await gate.admitProofMail(to: email, for: request, in: context)
            mail = AccountOpening.ProofMail(
                to: email,
                turn: turn,
                client: signIn.client.id,
                requester: signIn.requester
            )
        }
        var signInRequest = coming.request(of: record.account.id, by: .password)
        signInRequest.device.requester = nil
        return try await opening.open(
            record,
            signInRequest,
            needsDevice: false,
            mail: mail,
            alongside: coming.work
        )
    }
}

extension SignInPageAPI {
    /// Returns whether a person can open an account there: not at a landing page, which concerns an existing account.
    func mayOpenAccount(_ signIn: SignInContext) -> Bool {
        offers.registration != nil && signIn.client.id != PageSignIn.Page.landing.rawValue
    }

    /// `GET /oauth/sign-in/{id}/sign-up`: the page that opens an account.
    func showSignUp(_ request: Request, _ context: APIContext) async throws -> Response {
        try await show(request, context) { signIn in
            guard let registration = try await registration(signIn) else { return .seeOther(signIn.location.page) }
            return pages.signUp(.init(), registration, of: signIn)
        }
    }

    /// `POST /oauth/sign-in/{id}/sign-up`: opens an account with an address and a password.
    func signUp(_ request: Request, _ context: APIContext) async throws -> Response {
        try await post(request, context) { signIn in
            guard let registration = try await registration(signIn), let passwords = registration.passwords else {
                return next(signIn)
            }
            let form = try await SignInForm(request)
            try await limits.admit(.registrationsPerAddress, for: request, in: context)
            let coming = try passwords.sessions.prepare(request, in: signIn, noting: service)
            do {
                let opened = try await passwords.open(from: form, for: coming, request, context, in: signIn)
                guard let opened else { throw InteractionEndedError() }
                var response = onward(form, signIn)
                passwords.sessions.set(opened, of: coming, on: &response, for: request)
                offers.memory.keep(.password, on: &response)
                return response
            } catch let error as AccountError {
                guard let fault = error.signUpFault else { throw error }
                return pages.signUp(.init(form, fault: fault), registration, of: signIn)
            }
        }
    }

    /// Returns the registration, if the next step is to sign in and nobody has.
    private func registration(_ signIn: SignInContext) async throws -> SignInRegistration? {
        guard mayOpenAccount(signIn), signIn.interaction.proven == nil, case .signIn = try await step(of: signIn) else {
            return nil
        }
        return offers.registration
    }
}

extension AccountError {
    /// The sentence of the sign-up page; `nil` for an error that its form cannot cause.
    fileprivate var signUpFault: SignInKey? {
        switch self {
        case .badEmail: .emailWrong
        case .badName: .nameWrong
        case .weakPassword: .passwordWeak
        case .emailTaken: .emailTaken
        default: nil
        }
    }
}
