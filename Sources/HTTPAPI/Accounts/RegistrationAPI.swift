import Accounts
import Hummingbird
import Kernel
import Operations
import SignIn
import Web

/// Opens accounts, and signs their owners in.
struct RegistrationAPI: Sendable {
    let service: RegistrationService
    let opening: AccountOpening
    let replies: SignInReplies
    let surface: AccountSurface
    let gate: AddressGate
    let body: JSONBody

    /// The routes for the published face login app.
    var routes: [Route] {
        guard surface.isRegistrationOpen else { return [] }
        return [Route(.post, "/auth/register", access: .everybody(accepting: .deviceCookie, .dpop), use: register)]
            .alsoUnderAPI
    }

    /// The routes for the published wallet app.
    var mobileRoutes: [Route] {
        guard surface.isRegistrationOpen else { return [] }
        return [
            Route(
                .post,
                "/api/mobile/auth/register",
                access: .everybody(accepting: .deviceCredential, .dpop),
                use: registerMobile
            )
        ]
    }

    /// `POST /auth/register`: requires a password.
    ///
    /// A role, access level or department in the body is ignored, because operators assign them.
    private func register(_ request: Request, _ context: APIContext) async throws -> Response {
        let input = try await body.decode(RegisterRequest.self, from: request)
        guard input.password != nil else { throw APIError.invalidRequest("“password” is missing.") }
        return try await open(input, for: request, in: context)
    }

    /// `POST /api/mobile/auth/register`: requires a device; a password is optional.
    ///
    /// A device that was registered before needs only its id. A device of another account is ignored, as at a sign-in.
    private func registerMobile(_ request: Request, _ context: APIContext) async throws -> Response {
        let input = try await body.decode(RegisterRequest.self, from: request)
        guard input.deviceId != nil else { throw APIError.invalidRequest("“deviceId” is missing.") }
        return try await open(input, for: request, in: context)
    }

    private func open(_ input: RegisterRequest, for request: Request, in context: APIContext) async throws -> Response {
        try await gate.admit(.registrationsPerAddress, for: request, in: context)
        let policy = try surface.policy(input.clientId, request)
        let device = try input.deviceId.map {
            try ClaimedDevice(id: $0, label: input.deviceName, platform: input.platform, request)
        }
        let key = try replies.key(of: request)
        let password = input.password.map { Secret($0) }
        let record = try await service.prepare(Registration(email: input.email, name: input.name, password: password))
        var turn: MailboxTurn?
        if let email = record.profile.email {
            turn = try await gate.admitProofMail(to: email, for: request, in: context)
        }
        var origin = surface.origin(of: device, for: policy, request, by: context.requester(of: request))
        origin.requester = nil
        let signIn = SignInRequest(
            account: record.account.id,
            proof: password == nil ? .newAccount : .password,
            policy: policy,
            device: origin,
            key: key
        )
        let requester = context.requester(of: request)
        // A phone that belongs to another account, which its app cannot know, still opens an account, without the
        // device.
        let isNamedAlone = signIn.device.registration != nil && device?.platform == nil
        let mail = record.profile.email.flatMap { email in
            turn.map { turn in
                AccountOpening.ProofMail(to: email, turn: turn, client: policy.clientID, requester: requester)
            }
        }
        let opened: OpenedSession?
        do {
            opened = try await opening.open(record, signIn, needsDevice: isNamedAlone, mail: mail)
        } catch is AccountOpening.ForeignDeviceError {
            throw Self.noDevice
        }
        guard let opened else { throw APIError.unauthorized(.credentials) }
        return try replies.answer(opened, "Account opened", status: .created, for: request)
    }

    private static let noDevice = APIError.invalidRequest(
        "“deviceId” does not name a device that could be yours. Register it first, or send “deviceName” and “platform” too."
    )
}
