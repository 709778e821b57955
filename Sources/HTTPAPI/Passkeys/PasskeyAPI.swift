import Hummingbird
import Kernel
import Operations
import Passkeys

/// Passkeys for clients that send their challenge's id as `challengeId`: pages and the published apps.
///
/// A page presents the cookie of its session, so that a signed-in person can add further passkeys.
struct PasskeyAPI: Sendable {
    private static let mostListed = 200

    let ceremonies: PasskeyCeremonies
    let owned: OwnedPasskeys
    let signIns: PasskeySessions
    let listsUsers: Bool
    let body: JSONBody
    let environment: Environment

    var routes: [Route] {
        [
            Route(
                .post,
                "/api/generate-registration-options",
                access: .guest(accepting: .webSession),
                use: beginRegistration
            ),
            Route(
                .post,
                "/api/verify-registration",
                access: .guest(with: .credentials, accepting: .webSession, .deviceCookie),
                use: register
            ),
            Route(.post, "/api/generate-authentication-options", access: .everybody, use: beginSignIn),
            Route(
                .post,
                "/api/verify-authentication",
                access: .holder(of: .credentials, accepting: .deviceCookie, .dpop),
                use: signIn
            ),
            Route(.get, "/api/users", access: .everybody, use: list),
        ]
    }

    /// `POST /api/generate-registration-options`: for an unused name or, without a name, for the session's account.
    private func beginRegistration(_ request: Request, _ context: APIContext, by guest: Guest) async throws -> Response
    {
        let asked = try await body.decode(PasskeyRegistrationRequest.self, from: request)
        try await ceremonies.source.admit(.byChallengeID, for: request, in: context)
        let preferences = try PasskeyInput.preferences(asked)
        let id = environment.newUUID().description
        let who = try await guest.signedIn()
        var name: String?
        // A signed-in person needs no name, because accounts that an operator created have neither user name nor
        // address.
        if who == nil || asked.username != nil { name = try PasskeyInput.requiredName(asked.username) }
        let options = try await ceremonies.service.begin(
            RegisterPasskey(
                ceremony: ceremonies.ceremony(
                    rpID: try ceremonies.site.id(asked.customRpID),
                    boundTo: Self.binding(id, of: who),
                    verification: preferences.userVerification,
                    request,
                    context
                ),
                asker: who?.account,
                name: name,
                preferences: preferences,
                access: try await access(who),
                rpName: try ceremonies.site.name(asked.customRpName)
            )
        )
        return JSONReply.encode(PasskeyOptionsReply(options: options, challengeId: id))
    }

    /// `POST /api/verify-registration`: stores the passkey, and signs in the owner of a new account.
    private func register(_ request: Request, _ context: APIContext, by guest: Guest) async throws -> Response {
        let (response, id) = try await answered(request)
        try await ceremonies.source.admit(.byChallengeID, for: request, in: context)
        let who = try await guest.signedIn()
        let checked = try await ceremonies.service.check(registration: response, from: Self.binding(id, of: who))
        try await ceremonies.source.admit(checked, for: request, in: context)
        let (passkey, opened) = try await signIns.register(
            checked,
            by: who,
            request,
            requester: context.requester(of: request)
        )
        let info = RegisteredPasskeyInfo(
            credentialID: passkey.credential.record.id.text,
            credentialDeviceType: passkey.deviceType,
            credentialBackedUp: passkey.credential.record.backup.isBackedUp
        )
        let tokens = try opened.flatMap { try signIns.tokens(of: $0) }
        var reply = JSONReply.encode(PasskeyRegisteredResponse(registrationInfo: info, tokens: tokens))
        if let opened { signIns.set(opened, on: &reply, request) }
        return reply
    }

    /// `POST /api/generate-authentication-options`: answers 200 for every name, known or not.
    private func beginSignIn(_ request: Request, _ context: APIContext) async throws -> Response {
        let asked = try await body.decodeIfPresent(PasskeySignInRequest.self, from: request) ?? PasskeySignInRequest()
        try await ceremonies.source.admit(.byChallengeID, for: request, in: context)
        let id = environment.newUUID().description
        let options = try await ceremonies.service.begin(
            SignInByPasskey(
                ceremony: ceremonies.ceremony(
                    rpID: try ceremonies.site.id(asked.customRpID),
                    boundTo: Self.binding(id, of: nil),
                    verification: try PasskeyInput.verification(asked.userVerification),
                    request,
                    context
                ),
                name: try PasskeyInput.name(asked.username),
                timeout: try PasskeyInput.timeout(asked.timeout)
            )
        )
        return JSONReply.encode(PasskeyOptionsReply(options: options, challengeId: id))
    }

    /// `POST /api/verify-authentication`: signs the person in by the signature.
    private func signIn(_ request: Request, _ context: APIContext) async throws -> Response {
        let (response, id) = try await answered(request)
        try await ceremonies.source.admit(.byChallengeID, for: request, in: context)
        let checked = try await ceremonies.service.check(signIn: response, from: Self.binding(id, of: nil))
        let opened = try await signIns.open(checked, request, of: context.requester(of: request))
        return try signIns.answer(opened, request)
    }

    /// `GET /api/users`: 404 unless the operator has enabled the list.
    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        guard listsUsers else { throw APIError.notFound }
        let users = try await owned.listAccounts(limit: Self.mostListed)
        return JSONReply.encode(users.map { ListedPasskeyUser($0) })
    }

    /// Returns the allowed registrations: for a new account by the config, and for the own account after a recent
    /// sign-in that is enough for the account.
    private func access(_ who: SignedIn?) async throws -> RegisterPasskey.Access {
        var access: RegisterPasskey.Access = ceremonies.site.opensAccounts ? .new : []
        if let who, who.isRecent, try await signIns.trust.enrolmentPolicy.isAllowed(toApp: who) { access.insert(.own) }
        return access
    }

    /// Returns the binding of a challenge: its id, and the session that requested the options, if any.
    ///
    /// So another session in the same browser cannot register a passkey that this session requested.
    static func binding(_ id: String, of who: SignedIn?) -> ChallengeBinding {
        .id(Secret(who.map { "\(id)\n\($0.session)" } ?? id))
    }

    /// Returns the passkey's response and the id of its challenge.
    private func answered(_ request: Request) async throws -> (JSONValue, String) {
        guard case .object(let members) = try await body.value(from: request) else { throw APIError.malformedJSON }
        guard case .string(let id) = members["challengeId"], !id.isEmpty else {
            throw APIError.invalidRequest("“challengeId” is missing.")
        }
        guard let response = members["response"] else { throw APIError.invalidRequest("“response” is missing.") }
        guard let uuid = UUIDBits(id) else { throw APIError.challengeOver }
        return (response, uuid.description)
    }
}

extension ListedPasskeyUser {
    init(_ listed: ListedPasskeys) {
        self.init(
            username: listed.name,
            passkeysCount: listed.passkeys.count,
            passkeys: listed.passkeys.map { passkey in
                ListedPasskey(
                    id: passkey.credential.record.id.text.prefix(20) + "…",
                    deviceType: passkey.deviceType,
                    backedUp: passkey.credential.record.backup.isBackedUp,
                    createdAt: passkey.createdAt.internetDate
                )
            }
        )
    }
}

/// The options with their challenge's id, in the form that the published clients parse.
private struct PasskeyOptionsReply<Options: Encodable>: Encodable {
    let options: Options
    let challengeId: String

    private enum Key: String, CodingKey {
        case challengeId
    }

    func encode(to encoder: any Encoder) throws {
        try options.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(challengeId, forKey: .challengeId)
    }
}
