package import Accounts
package import Devices
import HTTPTypes
import Hummingbird
package import Kernel
package import Operations
import Wire

/// Signing in by a code that comes by mail, for the published wallet app.
package struct MailLoginAPI: Sendable {
    private let codes: EmailCodeDesk
    private let proofs: AddressProofDesk
    private let registered: RegisteredDevices
    private let opener: SessionOpener
    private let clients: ClientDirectory
    private let surfaceClient: String?
    private let unitOfWork: any UnitOfWork
    private let following: Following
    private let body: JSONBody

    /// `surfaceClient`: the client that the config names for the wallet's surface.
    package init(
        codes: EmailCodeDesk,
        proofs: AddressProofDesk,
        registered: RegisteredDevices,
        opener: SessionOpener,
        clients: ClientDirectory,
        surfaceClient: String?,
        unitOfWork: any UnitOfWork,
        following: Following
    ) {
        self.codes = codes
        self.proofs = proofs
        self.registered = registered
        self.opener = opener
        self.clients = clients
        self.surfaceClient = surfaceClient
        self.unitOfWork = unitOfWork
        self.following = following
        body = JSONBody(limit: following.bodyLimit)
    }

    package var routes: [Route] {
        [
            Route(.post, "/api/mobile/auth/login", access: .everybody(heeding: .deviceCredential), send),
            Route(
                .post,
                "/api/mobile/auth/login/verify",
                access: .holder(of: .credentials, heeding: .deviceCredential),
                verify
            ),
        ]
    }

    /// `POST /api/mobile/auth/login`: 200 for every address, known or not; a bearer token is not looked at.
    @Sendable private func send(_ request: Request, _ context: APIContext) async throws -> Response {
        let asked = try await body.decode(MailLoginRequest.self, from: request)
        try admit(request, context)
        let policy = try policy
        let order = EmailCodeOrder(
            email: try Self.email(asked.email),
            client: policy.clientID,
            device: try Self.device(asked.deviceId),
            language: AcceptedLanguage.texts(for: request).language,
            service: policy.landing.clientName
        )
        let challenge = try await codes.send(order, recognise: recognition(request, order.client))
        return JSONReply.encode(
            MailLoginResponse(
                challenge: challenge.description,
                expiresIn: Int(EmailCodePolicy.lifetime.secondsRoundedUp)
            )
        )
    }

    /// `POST /api/mobile/auth/login/verify`: the code is the sign-in.
    @Sendable private func verify(_ request: Request, _ context: APIContext) async throws -> Response {
        let asked = try await body.decode(MailLoginVerifyRequest.self, from: request)
        try admit(request, context)
        let signIn = try signIn(asked, request)
        let outcome = try await unitOfWork.run { transaction in try take(signIn, in: transaction) }
        switch outcome {
        case .refused: throw Problem.unauthorized(.badCode)
        case .tooMany(let wait): throw Problem.rateLimited(retryAfter: Int(max(1, wait.secondsRoundedUp)))
        case .opened(let opened, let removedEarlier):
            if removedEarlier { try await proofs.settle(opened.claims.account) }
            return try opener.answer(opened, "Signed in", for: request)
        }
    }

    /// A code with all that its sign-in needs.
    private struct MailSignIn: Sendable {
        let attempt: EmailCodeTry
        let policy: ClientPolicy
        let recognise: EmailCodeDesk.Recognition
        let language: String
        let registration: DeviceRegistration
    }

    private enum Outcome: Sendable {
        case opened(OpenedSession, removedEarlier: Bool)
        case refused
        case tooMany(Duration)
    }

    private func signIn(_ asked: MailLoginVerifyRequest, _ request: Request) throws -> MailSignIn {
        let policy = try policy
        let named = try NamedDevice(id: asked.deviceId, label: asked.deviceName, platform: asked.platform)
        guard let registration = try AccountSurface.wallet.registration(named, policy, request) else {
            throw Problem.invalidDeviceID
        }
        return MailSignIn(
            attempt: EmailCodeTry(
                code: try Self.name(asked),
                client: policy.clientID,
                device: try Self.device(asked.deviceId),
                digits: try Self.digits(asked.code)
            ),
            policy: policy,
            recognise: recognition(request, policy.clientID),
            language: AcceptedLanguage.texts(for: request).language,
            registration: registration
        )
    }

    private func take(_ signIn: MailSignIn, in transaction: borrowing Transaction) throws -> Outcome {
        let outcome = try codes.redeem(signIn.attempt, recognise: signIn.recognise, in: transaction)
        switch outcome {
        case .refused: return .refused
        case .tooMany(let wait): return .tooMany(wait)
        case .proven(let code):
            let device = try signIn.recognise(code.account, transaction)
            let removedEarlier = try proofs.note(
                code.account,
                isSameDevice: device != nil,
                language: signIn.language,
                in: transaction
            ) { codes.isFor(code, $0) }
            let order = SignInOrder(
                account: code.account,
                methods: ["otp"],
                policy: signIn.policy,
                device: device,
                registration: signIn.registration,
                deviceName: code.device
            )
            guard let opened = try opener.open(order, in: transaction) else { return .refused }
            return .opened(opened, removedEarlier: removedEarlier)
        }
    }

    private func admit(_ request: Request, _ context: APIContext) throws {
        try following.desk.admit(.signInsPerAddress, from: following.source(of: request, context))
    }

    /// The account's linked device whose credential the request shows.
    private func recognition(_ request: Request, _ client: String) -> EmailCodeDesk.Recognition {
        let credential = request.headers[our: .xDeviceCredential].map { Digest256(sha256: $0) }
        return { [registered] account, transaction in
            guard let credential else { return nil }
            return try registered.device(credential: credential, of: account, client: client, in: transaction)
        }
    }

    private var policy: ClientPolicy {
        get throws { try clients.client(named: nil, surface: surfaceClient) }
    }

    private static func device(_ text: String) throws -> String {
        guard UUIDBits(text) != nil else {
            throw Problem.invalidRequest("“deviceId” is not a UUID; the app makes one once and keeps it.")
        }
        return text
    }

    private static func email(_ text: String) throws -> EmailAddress {
        guard let email = EmailAddress(text) else { throw Problem.invalidEmail }
        return email
    }

    private static func name(_ asked: MailLoginVerifyRequest) throws -> EmailCodeTry.Name {
        if let challenge = asked.challenge {
            guard let id = EmailCodeID(parsing: challenge) else {
                throw Problem.invalidRequest("“challenge” is what the answer to the login gave.")
            }
            return .challenge(id)
        }
        guard let email = asked.email else { throw Problem.invalidRequest("“challenge” or “email” is missing.") }
        return .address(try Self.email(email))
    }

    /// Six digits, as people type them: spaces and a hyphen are no part of them.
    private static func digits(_ text: String) throws -> Secret {
        let digits = text.filter { $0 != " " && $0 != "-" }
        guard digits.utf8.count == 6, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw Problem.invalidRequest("“code” is six digits.")
        }
        return Secret(digits)
    }
}
