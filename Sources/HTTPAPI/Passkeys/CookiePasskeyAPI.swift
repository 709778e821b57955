import Hummingbird
import Kernel
import Operations
import Passkeys

/// Passkeys for clients that tie a ceremony's requests by the cookie `yapt.sid`: the published site and its app.
struct CookiePasskeyAPI: Sendable {
    /// The fewest characters that the published site accepts in a new name.
    private static let shortestName = 3

    let ceremonies: PasskeyCeremonies
    let signIns: PasskeySessions
    let cookies: CompanionCookies
    let body: JSONBody
    let environment: Environment

    var routes: [Route] {
        let options = OpenAccess.everybody(accepting: .webSession)
        let answer = OpenAccess.holder(of: .credentials, accepting: .webSession, .deviceCookie, .dpop)
        let own = SessionAccess.session(.everyClient, .recent).orWebSession
        return [
            Route(.post, "/api/auth/register/generate-options", access: options, use: beginRegistration),
            Route(.post, "/api/auth/register/verify", access: answer, use: register),
            Route(.post, "/api/auth/login/generate-options", access: options, use: beginSignIn),
            Route(.post, "/api/auth/login/verify", access: answer, use: signIn),
            Route(.post, "/api/auth/add-device/generate-options", access: own, use: beginAdding),
            Route(.post, "/api/auth/add-device/verify", access: own, use: add),
        ]
    }

    /// `POST /api/auth/register/generate-options`: for an unused name; 409 for a used one.
    ///
    /// A refused name does not count as one of the few sign-ups of an address. It counts against a limit of its own, so
    /// that probing for used names is bounded too.
    private func beginRegistration(_ request: Request, _ context: APIContext) async throws -> Response {
        let asked = try await body.decode(PasskeyRegistrationRequest.self, from: request)
        try await ceremonies.source.check(.registrationOptions, for: request, in: context)
        try await ceremonies.source.check(.refusedNames, for: request, in: context)
        let response: Response
        do { response = try await registrationOptions(asked, for: request, in: context) } catch {
            try await ceremonies.source.admit(.refusedNames, for: request, in: context)
            throw error
        }
        try await ceremonies.source.admit(.registrationOptions, for: request, in: context)
        return response
    }

    private func registrationOptions(
        _ asked: PasskeyRegistrationRequest,
        for request: Request,
        in context: APIContext
    ) async throws -> Response {
        let name = try PasskeyInput.requiredName(asked.username)
        guard name.count >= Self.shortestName else { throw APIError.invalidUsername(atLeast: Self.shortestName) }
        let cookie = try await cookie(of: request)
        return try await options(cookie) { binding in
            let access: RegisterPasskey.Access = ceremonies.site.opensAccounts ? .new : []
            return try await ceremonies.service.begin(
                try registration(asked, boundTo: binding, name: name, access: access, for: request, in: context)
            )
        }
    }

    /// `POST /api/auth/register/verify`: opens the account and signs its owner in.
    private func register(_ request: Request, _ context: APIContext) async throws -> Response {
        let response = try await body.value(from: request)
        try await ceremonies.source.admit(.registration, for: request, in: context)
        let checked = try await ceremonies.service.check(registration: response, from: try binding(of: request))
        try await ceremonies.source.admit(checked, for: request, in: context)
        let (_, opened) = try await signIns.register(
            checked,
            by: nil,
            request,
            requester: context.requester(of: request)
        )
        guard let opened else { throw APIError.challengeOver }
        return try signIns.answer(opened, request)
    }

    /// `POST /api/auth/login/generate-options`: answers 200 for every name, known or not.
    ///
    /// Without a name, any passkey may answer.
    private func beginSignIn(_ request: Request, _ context: APIContext) async throws -> Response {
        let asked = try await body.decodeIfPresent(PasskeySignInRequest.self, from: request) ?? PasskeySignInRequest()
        try await ceremonies.source.admit(.signInOptions, for: request, in: context)
        let (name, timeout) = (try PasskeyInput.name(asked.username), try PasskeyInput.timeout(asked.timeout))
        let verification = try PasskeyInput.verification(asked.userVerification)
        let cookie = try await cookie(of: request)
        return try await options(cookie) { binding in
            let ceremony = ceremonies.ceremony(boundTo: binding, verification: verification, request, context)
            return try await ceremonies.service.begin(SignInByPasskey(ceremony: ceremony, name: name, timeout: timeout))
        }
    }

    /// `POST /api/auth/login/verify`: signs the person in by the signature.
    private func signIn(_ request: Request, _ context: APIContext) async throws -> Response {
        let response = try await body.value(from: request)
        try await ceremonies.source.admit(.signIn, for: request, in: context)
        let checked = try await ceremonies.service.check(signIn: response, from: try binding(of: request))
        let opened = try await signIns.open(checked, request, of: context.requester(of: request))
        return try signIns.answer(opened, request)
    }

    /// `POST /api/auth/add-device/generate-options`: for the session's account.
    private func beginAdding(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        try await signIns.trust.enrolmentPolicy.require(ofApp: who)
        let asked =
            try await body.decodeIfPresent(PasskeyRegistrationRequest.self, from: request)
            ?? PasskeyRegistrationRequest(username: nil)
        try await ceremonies.source.admit(.byChallengeID, for: request, in: context)
        let binding = Self.binding(of: who)
        let command = try registration(
            asked,
            boundTo: binding,
            asker: who.account,
            access: .own,
            for: request,
            in: context
        )
        return JSONReply.encode(try await ceremonies.service.begin(command))
    }

    /// `POST /api/auth/add-device/verify`: stores the passkey; the session stays active.
    private func add(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let response = try await body.value(from: request)
        try await ceremonies.source.admit(.byChallengeID, for: request, in: context)
        let checked = try await ceremonies.service.check(registration: response, from: Self.binding(of: who))
        let (passkey, opened) = try await signIns.register(
            checked,
            by: who,
            request,
            requester: context.requester(of: request)
        )
        guard opened == nil else { throw APIError.challengeOver }
        return JSONReply.encode(PasskeyAddedResponse(device: OwnedPasskeyView(passkey)))
    }

    /// Returns the binding by cookie, for an answer without a `challengeId`.
    private func binding(of request: Request) throws(APIError) -> ChallengeBinding {
        guard let cookie = cookies.secret(request) else { throw .challengeOver }
        return .cookie(cookie)
    }

    /// Returns the binding to the session, which either a cookie or a token may present.
    private static func binding(of who: SignedIn) -> ChallengeBinding {
        .cookie(Secret("session \(who.session)"))
    }

    /// Returns the cookie that binds the request's ceremony: the browser's own if this server issued it, or else a new
    /// one.
    ///
    /// A cookie that this server did not issue is never adopted.
    private func cookie(of request: Request) async throws -> (secret: Secret, isNew: Bool) {
        if let own = cookies.secret(request), try await signIns.knows(own) { return (own, false) }
        return (environment.newSecret(), true)
    }

    private func options<Options: Encodable>(
        _ cookie: (secret: Secret, isNew: Bool),
        _ begin: (ChallengeBinding) async throws -> Options
    ) async throws -> Response {
        var response = JSONReply.encode(try await begin(.cookie(cookie.secret)))
        if cookie.isNew { cookies.set(cookie.secret, on: &response) }
        return response
    }

    private func registration(
        _ asked: PasskeyRegistrationRequest,
        boundTo binding: ChallengeBinding,
        asker: AccountID? = nil,
        name: String? = nil,
        access: RegisterPasskey.Access,
        for request: Request,
        in context: APIContext
    ) throws -> RegisterPasskey {
        let preferences = try PasskeyInput.preferences(asked)
        return RegisterPasskey(
            ceremony: ceremonies.ceremony(
                boundTo: binding,
                verification: preferences.userVerification,
                request,
                context
            ),
            asker: asker,
            name: name,
            preferences: preferences,
            access: access,
            rpName: ceremonies.site.party.rpName
        )
    }
}
