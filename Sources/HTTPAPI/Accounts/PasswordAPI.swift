package import Accounts
import Hummingbird
package import Kernel
import Operations
package import SignIn
import Wire

/// Signing in with a password, and changing it.
package struct PasswordAPI: Sendable {
    private let desk: PasswordDesk
    private let door: Door
    private let replies: SignInReplies
    private let linked: LinkedDevices
    private let surface: AccountSurface
    private let unitOfWork: any UnitOfWork
    private let gate: AddressGate
    private let body: JSONBody

    package init(
        desk: PasswordDesk,
        door: Door,
        replies: SignInReplies,
        linked: LinkedDevices,
        surface: AccountSurface,
        unitOfWork: any UnitOfWork,
        gate: AddressGate,
        bodyLimit: Int
    ) {
        self.desk = desk
        self.door = door
        self.replies = replies
        self.linked = linked
        self.surface = surface
        self.unitOfWork = unitOfWork
        self.gate = gate
        body = JSONBody(limit: bodyLimit)
    }

    private static let access = OpenAccess.holder(
        of: .credentials,
        heeding: .deviceCookie,
        .deviceCredential,
        .dpop
    )

    /// For the published face login app.
    package var routes: [Route] {
        let route = Route(.post, "/auth/login", access: Self.access, signIn)
        return [route, route.under("/api")]
    }

    /// For the published wallet app.
    package var mobileRoutes: [Route] { [Route(.post, "/api/mobile/auth/login/password", access: Self.access, signIn)] }

    /// `POST /auth/login`, `POST /api/mobile/auth/login/password`: a session of its own, whatever session was there.
    ///
    /// One answer for a wrong password, an account without one and an address that nobody has.
    @Sendable private func signIn(_ request: Request, _ context: APIContext) async throws -> Response {
        let order = try await body.decode(PasswordSignInRequest.self, from: request)
        guard let email = EmailAddress(order.email) else { throw Problem.invalidEmail }
        try gate.admit(.signInsPerAddress, request, context)
        let policy = try surface.policy(order.clientId, request)
        let device = try ClaimedDevice.named(
            order.deviceId,
            label: order.deviceName,
            platform: order.platform,
            request
        )
        let key = try replies.key(of: request)
        let verified = try await verified(Secret(order.password), of: email, policy, ShownDevice(request))
        let signIn = SignInRequest(
            account: verified.account,
            proof: .password,
            policy: policy,
            device: surface.origin(device, policy, request),
            key: key
        )
        let opened = try await open(signIn, verified)
        return try replies.answer(opened, "Signed in", for: request)
    }

    /// Opens the session, or says why not.
    ///
    /// A proof that was used before opens none, and the password was right all the same: it is no try that counts, or an app
    /// that sends a request twice would shut its owner out.
    private func open(_ signIn: SignInRequest, _ verified: VerifiedPassword) async throws -> OpenedSession {
        let outcome = try await unitOfWork.run { [desk, door] transaction -> Result<OpenedSession, any Error> in
            guard try desk.confirm(verified, in: transaction) else {
                return .failure(Problem.unauthorized(.credentials))
            }
            do { try signIn.key?.use() } catch { return .failure(error) }
            guard let opened = try door.open(signIn, in: transaction) else {
                return .failure(Problem.unauthorized(.credentials))
            }
            return .success(opened)
        }
        return try outcome.get()
    }

    private func verified(
        _ password: Secret,
        of email: EmailAddress,
        _ policy: ClientPolicy,
        _ evidence: ShownDevice
    ) async throws -> VerifiedPassword {
        let outcome = try await desk.verify(password, of: email) { [linked] account, transaction in
            try linked.device(provedBy: evidence, of: account, client: policy.clientID, in: transaction)
        }
        return try outcome.verified
    }
}

extension PasswordOutcome {
    /// The password that was right.
    /// - Throws: ``Problem``.
    var verified: VerifiedPassword {
        get throws {
            switch self {
            case .right(let verified): return verified
            case .wrong: throw Problem.unauthorized(.credentials)
            case .lockedOut(let wait): throw LockedOut(wait: wait)
            }
        }
    }
}
