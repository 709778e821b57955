import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import SignIn
import Web

/// Passwords on the sign-in page.
///
/// A wrong password, an account without one and an unknown address cost the same and count alike
/// (``PasswordService``).
struct SignInPasswords: Sendable {
    let service: PasswordService
    let signIn: PasswordSignIn
    let sessions: SignInSessions

    /// Checks the password.
    func verify(_ password: Secret, of email: EmailAddress, _ request: Request) async throws -> PasswordOutcome {
        let recognise = sessions.recognition(request, try sessions.surface.policy().clientID)
        return try await service.verify(password, of: email, linked: recognise)
    }
}

extension SignInPageAPI {
    /// `POST /oauth/sign-in/{id}/password`: signs the person in by the password.
    func signInWithPassword(_ request: Request, _ context: APIContext) async throws -> Response {
        try await post(request, context) { signIn in
            let form = try await SignInForm(request)
            guard let passwords = offers.passwords, try await takes(.password, signIn) else {
                return next(signIn)
            }
            guard let email = form.email else { return try await identify(again: form, signIn) }
            try await limits.admit(.signInsPerAddress, for: request, in: context)
            switch try await passwords.verify(form.password, of: email, request) {
            case .wrong: throw try await wrongPassword(form, request, in: signIn)
            case .lockedOut(let wait):
                let page = try await ways(again: form, fault: .wait(wait), request, signIn)
                throw PageError(cause: LockedOutError(wait: wait), page: page)
            case .right(let verified):
                let coming = try passwords.sessions.prepare(request, in: signIn, noting: service)
                let signInRequest = coming.request(of: verified.account, by: .password)
                let opened = try await passwords.signIn.open(signInRequest, with: verified, alongside: coming.work)
                guard let opened else { throw try await wrongPassword(form, request, in: signIn) }
                var response = onward(form, signIn)
                passwords.sessions.set(opened, of: coming, on: &response, for: request)
                offers.memory.keep(.password, on: &response)
                return response
            }
        }
    }

    private func wrongPassword(
        _ form: SignInForm,
        _ request: Request,
        in signIn: SignInContext
    ) async throws -> PageError {
        let page = try await ways(again: form, fault: .wrong(.credentialsWrong), request, signIn)
        return PageError(cause: APIError.unauthorized(.credentials), page: page)
    }
}
