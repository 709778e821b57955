import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import Operations
import Passkeys
import SignIn
import Web
import Wire

/// Signs people in by a mailed code, including those who have no password or have forgotten it.
struct MailLoginAPI: Sendable {
    let codes: EmailCodeService
    let linked: LinkedDevices
    let signIn: MailedCodeSignIn
    let replies: SignInReplies
    let surface: AccountSurface
    let gate: AddressGate
    /// `nil` if codes are the only way to sign in.
    let passkeys: WalletPasskeys?
    let body: JSONBody

    private static let asking = OpenAccess.everybody(accepting: .deviceCookie, .deviceCredential)
    private static let answering = OpenAccess.holder(
        of: .credentials,
        accepting: .deviceCookie,
        .deviceCredential,
        .dpop
    )

    /// The routes for apps and browsers that keep cookies.
    var routes: [Route] {
        [
            Route(.post, "/auth/login/code", access: Self.asking, use: send),
            Route(.post, "/auth/login/code/verify", access: Self.answering, use: verify),
        ].alsoUnderAPI
    }

    /// The routes for the published wallet app.
    var mobileRoutes: [Route] {
        [
            Route(.post, "/api/mobile/auth/login", access: Self.asking, use: send),
            Route(.post, "/api/mobile/auth/login/verify", access: Self.answering, use: verify),
        ]
    }

    /// `POST /auth/login/code`, `POST /api/mobile/auth/login`: answers 200 for every address, known or not.
    ///
    /// A bearer token is ignored.
    private func send(_ request: Request, _ context: APIContext) async throws -> Response {
        let input = try await body.decode(MailLoginRequest.self, from: request)
        try await gate.admit(.signInsPerAddress, for: request, in: context)
        let policy = try surface.policy(nil, request)
        let codeRequest = EmailCodeRequest(
            email: try Self.email(input.email),
            device: DeviceName(client: policy.clientID, device: try DeviceInput.id(input.deviceId)),
            requester: context.requester(of: request),
            service: policy.landing.clientName
        )
        let recognise = recognition(request, policy.clientID)
        if let reply = try await passkeys?.begin(
            input,
            of: codeRequest.email,
            recognise: recognise,
            for: request,
            in: context
        ) {
            return reply
        }
        let challenge = try await codes.send(codeRequest, recognise: recognise)
        return JSONReply.encode(
            MailLoginResponse(
                challenge: challenge.description,
                expiresIn: Int(EmailCodePolicy.lifetime.secondsRoundedUp)
            )
        )
    }

    /// `POST /auth/login/code/verify`, `POST /api/mobile/auth/login/verify`: signs the person in by the code.
    private func verify(_ request: Request, _ context: APIContext) async throws -> Response {
        let bytes = try await body.bytes(from: request)
        try await gate.admit(.signInsPerAddress, for: request, in: context)
        if let passkeys, let response = Self.passkeyResponse(bytes) {
            return try await signIn(with: response, of: bytes, by: passkeys, request, context)
        }
        let input = try JSONBody.decode(MailLoginVerifyRequest.self, bytes)
        let policy = try surface.policy(nil, request)
        let device = try ClaimedDevice(id: input.deviceId, label: input.deviceName, platform: input.platform, request)
        let attempt = EmailCodeTry(
            code: try Self.name(input),
            device: DeviceName(client: policy.clientID, device: device.name),
            digits: try Self.digits(input.code)
        )
        let key = try replies.key(of: request)
        let recognise = recognition(request, policy.clientID)
        let requester = context.requester(of: request)
        let origin = surface.origin(of: device, for: policy, request, by: context.requester(of: request))
        let outcome = try await signIn.open(attempt, requester: requester, recognise: recognise) { account in
            SignInRequest(account: account, proof: .mailedCode, policy: policy, device: origin, key: key)
        }
        switch outcome {
        // No code of these routes opens an account, or meets one that was opened with an unverified address.
        case .refused, .unverified: throw APIError.unauthorized(.badCode)
        case .tooMany(let wait): throw APIError.rateLimited(for: wait, by: .wrongCodes)
        case .opened(let opened): return try replies.answer(opened, "Signed in", for: request)
        }
    }

    /// Returns the passkey's response, if the body has one instead of a code.
    private static func passkeyResponse(_ bytes: [UInt8]) -> JSONValue? {
        guard case .object(let members)? = try? JSONReader.read(bytes) else { return nil }
        return members["response"]
    }

    /// Signs in by a passkey's signature instead of a code.
    private func signIn(
        with response: JSONValue,
        of bytes: [UInt8],
        by passkeys: WalletPasskeys,
        _ request: Request,
        _ context: APIContext
    ) async throws -> Response {
        let answer = try JSONBody.decode(WalletPasskeys.Answer.self, checked: bytes)
        let policy = try surface.policy(nil, request)
        let device = try ClaimedDevice(
            id: answer.deviceId,
            label: answer.deviceName,
            platform: answer.platform,
            request
        )
        let key = try replies.key(of: request)
        let checked = try await passkeys.check(response, answer)
        let signInRequest = SignInRequest(
            account: checked.account,
            proof: passkeys.proof(of: checked),
            policy: policy,
            device: surface.origin(of: device, for: policy, request, by: context.requester(of: request)),
            key: key
        )
        guard let opened = try await passkeys.open(signInRequest, by: checked) else {
            throw APIError.unauthorized(.passkey)
        }
        return try replies.answer(opened, "Signed in", for: request)
    }

    /// Returns a function that finds the account's linked device, if the request proves it.
    private func recognition(_ request: Request, _ client: String) -> EmailCodeService.Recognition {
        let evidence = PresentedDevice(request)
        return { [linked] account, transaction in
            try linked.device(provedBy: evidence, of: account, client: client, in: transaction)
        }
    }

    private static func email(_ text: String) throws -> EmailAddress {
        guard let email = EmailAddress(text) else { throw APIError.invalidEmail }
        return email
    }

    private static func name(_ input: MailLoginVerifyRequest) throws -> EmailCodeTry.Name {
        if let challenge = input.challenge {
            guard let id = EmailCodeID(parsing: challenge) else {
                throw APIError.invalidRequest("“challenge” must be the one from the answer to the login.")
            }
            return .challenge(id)
        }
        guard let email = input.email else { throw APIError.invalidRequest("“challenge” or “email” is missing.") }
        return .address(try Self.email(email))
    }

    /// Returns the six digits, without the spaces and hyphens that people type.
    private static func digits(_ text: String) throws -> Secret {
        let digits = text.filter { $0 != " " && $0 != "-" }
        guard digits.utf8.count == 6, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw APIError.invalidRequest("“code” must be six digits.")
        }
        return Secret(digits)
    }
}
