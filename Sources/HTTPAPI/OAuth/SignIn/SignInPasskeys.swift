import Hummingbird
import Kernel
import OAuth
import Passkeys
import SignIn

/// Passkeys on the sign-in page.
///
/// Without a typed name the server names no passkey to the browser: the passkey itself names its account. For a name
/// without passkeys the server names decoys. The challenge is bound to the interaction, so that a signature made for
/// another page or request signs nobody in here.
struct SignInPasskeys: Sendable {
    let ceremonies: PasskeyCeremonies
    let signIns: PasskeySessions
    let links: any DescentLinks

    /// Returns the options for the browser's call.
    ///
    /// `name`: the typed name; `nil` lets any passkey answer.
    func options(
        of name: String?,
        _ request: Request,
        _ context: APIContext,
        in signIn: SignInContext
    ) async throws -> RequestOptions {
        try await ceremonies.source.admit(.byChallengeID, for: request, in: context)
        let command = ceremonies.signIn(
            as: try PasskeyInput.name(name),
            boundTo: Self.binding(signIn),
            verification: signIn.needsVerifiedPasskey ? .required : .preferred,
            request,
            context
        )
        return try await ceremonies.service.begin(command)
    }

    /// Signs in the passkey's person, and has `authorizations` record that in the same unit of work.
    func signIn(
        _ request: Request,
        _ context: APIContext,
        answer: JSONValue,
        in signIn: SignInContext,
        noting authorizations: AuthorizationService
    ) async throws -> Response {
        try await ceremonies.source.admit(.byChallengeID, for: request, in: context)
        let checked = try await ceremonies.service.check(signIn: answer, from: Self.binding(signIn))
        let opened = try await signIns.open(checked, request, of: signIn.requester) {
            [id = signIn.id, links] opened, transaction in
            let claims = opened.claims
            let earlier = try authorizations.prove(
                id,
                Interaction.Proven(account: claims.account, authentication: claims.authentication),
                in: transaction
            )
            if let earlier {
                try links.note(.session(claims.session), of: claims.account, from: earlier, in: transaction)
            }
        }
        var response = JSONReply.encode(ChangedResponse(message: "You are signed in"))
        signIns.set(opened, on: &response, request)
        return response
    }

    /// Returns the binding of a challenge to the interaction.
    ///
    /// It contains a space, which no cookie does, and so never equals the binding to a browser's cookie.
    private static func binding(_ signIn: SignInContext) -> ChallengeBinding {
        .cookie(Secret("interaction \(signIn.id)"))
    }
}

/// The body of the script's request to sign in with a passkey.
struct SignInNameRequest: Codable, Sendable {
    /// The typed name; `nil` lets any passkey answer.
    var username: String?
}

extension SignInPageAPI {
    /// `POST /oauth/sign-in/{id}/passkey/options`: the options for the script's call of the browser.
    func passkeyOptions(_ request: Request, _ context: APIContext) async throws -> Response {
        let signIn = try await scriptContext(request, context)
        let passkeys = try await offered(to: signIn)
        let asked = try await server.body.decodeIfPresent(SignInNameRequest.self, from: request)
        return JSONReply.encode(try await passkeys.options(of: asked?.username, request, context, in: signIn))
    }

    /// `POST /oauth/sign-in/{id}/passkey`: signs the person in by the signature, and returns where the page continues.
    func signInWithPasskey(_ request: Request, _ context: APIContext) async throws -> Response {
        let signIn = try await scriptContext(request, context)
        let passkeys = try await offered(to: signIn)
        let answer = try await server.body.value(from: request)
        do {
            var response = try await passkeys.signIn(request, context, answer: answer, in: signIn, noting: service)
            offers.memory.keep(.passkey, on: &response)
            return response
        } catch is InteractionEndedError { throw APIError.operationNotFound }
    }

    /// Returns the passkey sign-in, if the interaction's next step offers it.
    private func offered(to signIn: SignInContext) async throws -> SignInPasskeys {
        guard let passkeys = offers.passkeys, try await takes(.passkey, signIn) else {
            throw APIError.operationNotFound
        }
        return passkeys
    }
}
