import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import Passkeys
import SignIn
import Web

/// The body of the script's request to create a passkey.
struct NewPasskeyRequest: Codable, Sendable {
    /// The name of the account to open; `nil` for the account of the person who has signed in.
    var username: String?
}

extension SignInPasskeys {
    /// Returns the options for the browser's call: for the person of the interaction, or else for a new account.
    func creationOptions(
        for asked: NewPasskeyRequest,
        _ request: Request,
        _ context: APIContext,
        in signIn: SignInContext
    ) async throws -> CreationOptions {
        try await ceremonies.source.admit(.byChallengeID, for: request, in: context)
        let proven = signIn.interaction.proven
        let name = proven == nil ? try PasskeyInput.requiredName(asked.username) : nil
        let ceremony = ceremonies.ceremony(
            boundTo: Self.creationBinding(signIn),
            verification: signIn.needsVerifiedPasskey ? .required : .preferred,
            request,
            context
        )
        return try await ceremonies.service.begin(
            RegisterPasskey(
                ceremony: ceremony,
                asker: proven?.account,
                name: name,
                preferences: try PasskeyInput.preferences(PasskeyRegistrationRequest()),
                // The page has checked that the proof is recent.
                access: proven != nil ? .own : ceremonies.site.opensAccounts ? .new : []
            )
        )
    }

    /// Stores the passkey, and signs in the owner of a new account.
    ///
    /// A further passkey of an account proves nothing yet: the person signs in with it next. So the account's `amr`
    /// never has more than what was proved.
    func create(
        from answer: JSONValue,
        _ request: Request,
        _ context: APIContext,
        in signIn: SignInContext,
        noting authorizations: AuthorizationService
    ) async throws -> Response {
        try await ceremonies.source.admit(.byChallengeID, for: request, in: context)
        let checked = try await ceremonies.service.check(registration: answer, from: Self.creationBinding(signIn))
        var response = JSONReply.encode(ChangedResponse(message: "The passkey was created"))
        if let proven = signIn.interaction.proven {
            try await add(checked, of: proven, in: signIn)
            return response
        }
        try await ceremonies.source.admit(checked, for: request, in: context)
        let (_, opened) = try await signIns.register(checked, by: nil, request, requester: signIn.requester) {
            [id = signIn.id] opened, transaction in
            let (account, authentication) = (opened.claims.account, opened.claims.authentication)
            try authorizations.prove(id, .init(account: account, authentication: authentication), in: transaction)
        }
        if let opened { signIns.set(opened, on: &response, request) }
        return response
    }

    private func add(
        _ checked: CheckedRegistration,
        of proven: Interaction.Proven,
        in signIn: SignInContext
    ) async throws {
        guard checked.account == proven.account, let session = proven.authentication.session else {
            throw APIError.challengeOver
        }
        _ = try await signIns.signIn.add(
            checked,
            in: session,
            of: proven.account,
            client: signIn.client.id,
            requester: signIn.requester,
            countsFrom: try await signIns.trust.countsFrom(addedBy: proven.means)
        )
    }

    /// Returns the binding of a challenge to the interaction, and to the person who has signed in there, if anybody.
    private static func creationBinding(_ signIn: SignInContext) -> ChallengeBinding {
        let owner = signIn.interaction.proven.map { "\($0.account)" } ?? "nobody"
        return .cookie(Secret("new passkey \(signIn.id) \(owner)"))
    }
}

extension SignInPageAPI {
    /// `POST /oauth/sign-in/{id}/passkey/new/options`: the options for the script's call of the browser.
    func newPasskeyOptions(_ request: Request, _ context: APIContext) async throws -> Response {
        let signIn = try await scriptContext(request, context)
        let passkeys = try await passkeysToCreate(signIn)
        let asked = try await server.body.decodeIfPresent(NewPasskeyRequest.self, from: request) ?? NewPasskeyRequest()
        return JSONReply.encode(try await passkeys.creationOptions(for: asked, request, context, in: signIn))
    }

    /// `POST /oauth/sign-in/{id}/passkey/new`: stores the passkey.
    func createPasskey(_ request: Request, _ context: APIContext) async throws -> Response {
        let signIn = try await scriptContext(request, context)
        let passkeys = try await passkeysToCreate(signIn)
        let answer = try await server.body.value(from: request)
        do {
            var response = try await passkeys.create(from: answer, request, context, in: signIn, noting: service)
            offers.memory.keep(.passkey, on: &response)
            return response
        } catch is InteractionEndedError { throw APIError.operationNotFound }
    }

    /// Returns the passkeys, if the person of the interaction may add one, or nobody has signed in and one may open an
    /// account.
    private func passkeysToCreate(_ signIn: SignInContext) async throws -> SignInPasskeys {
        guard let passkeys = offers.passkeys, !offers.settable([.passkey], for: signIn.client).isEmpty else {
            throw APIError.operationNotFound
        }
        if let proven = signIn.interaction.proven {
            guard try await offers.setUp.isAllowed(to: proven) else { throw APIError.stepUpRequired }
        } else {
            guard mayOpenAccount(signIn), case .signIn = try await step(of: signIn) else {
                throw APIError.operationNotFound
            }
        }
        return passkeys
    }
}
