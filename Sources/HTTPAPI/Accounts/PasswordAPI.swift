import Accounts
import Hummingbird
import Kernel
import Operations
import SignIn

/// Signs people in with a password.
struct PasswordAPI: Sendable {
    let service: PasswordService
    let signIn: PasswordSignIn
    let replies: SignInReplies
    let linked: LinkedDevices
    let surface: AccountSurface
    let gate: AddressGate
    let body: JSONBody

    private static let access = OpenAccess.holder(of: .credentials, accepting: .deviceCookie, .deviceCredential, .dpop)

    /// The routes for the published face login app.
    var routes: [Route] {
        [Route(.post, "/auth/login", access: Self.access, use: open)].alsoUnderAPI
    }

    /// The routes for the published wallet app.
    var mobileRoutes: [Route] {
        [Route(.post, "/api/mobile/auth/login/password", access: Self.access, use: open)]
    }

    /// `POST /auth/login`, `POST /api/mobile/auth/login/password`: opens a new session, even for a client that has one.
    ///
    /// A wrong password, an account without a password and an unknown address get the same answer.
    private func open(_ request: Request, _ context: APIContext) async throws -> Response {
        let input = try await body.decode(PasswordSignInRequest.self, from: request)
        guard let email = EmailAddress(input.email) else { throw APIError.invalidEmail }
        try await gate.admit(.signInsPerAddress, for: request, in: context)
        let policy = try surface.policy(input.clientId, request)
        let device = try input.deviceId.map {
            try ClaimedDevice(id: $0, label: input.deviceName, platform: input.platform, request)
        }
        let key = try replies.key(of: request)
        let verified = try await verified(
            Secret(input.password),
            of: email,
            for: policy,
            presenting: PresentedDevice(request)
        )
        let signInRequest = SignInRequest(
            account: verified.account,
            proof: .password,
            policy: policy,
            device: surface.origin(of: device, for: policy, request, by: context.requester(of: request)),
            key: key
        )
        guard let opened = try await signIn.open(signInRequest, with: verified) else {
            throw APIError.unauthorized(.credentials)
        }
        return try replies.answer(opened, "Signed in", for: request)
    }

    private func verified(
        _ password: Secret,
        of email: EmailAddress,
        for policy: ClientPolicy,
        presenting evidence: PresentedDevice
    ) async throws -> VerifiedPassword {
        let outcome = try await service.verify(password, of: email) { [linked] account, transaction in
            try linked.device(provedBy: evidence, of: account, client: policy.clientID, in: transaction)
        }
        return try outcome.verified
    }
}

extension PasswordOutcome {
    /// The verified password, if it was right.
    /// - Throws: ``APIError``.
    var verified: VerifiedPassword {
        get throws {
            switch self {
            case .right(let verified): return verified
            case .wrong: throw APIError.unauthorized(.credentials)
            case .lockedOut(let wait): throw LockedOutError(wait: wait)
            }
        }
    }
}
