import Hummingbird
import Kernel
import Operations
import Wire

/// The parameters of a new login, read once from head and body, and checked.
private struct LoginStart {
    let policy: ClientPolicy
    let mode: LoginMode
    let challenge: Digest256?
    let email: String
    let deviceProof: DeviceProof
    let returnURL: String?
    let superseding: Superseding?

    /// The signature of the device's key, not yet verified, which the limits count by.
    var signed: SignedStart? { deviceProof.signature.map { SignedStart($0, client: policy.clientID) } }
}

extension FaceLoginAPI {
    /// `POST /auth/biometric-login/initiate`: 200 for every e-mail, known or not.
    func initiate(_ request: Request, _ context: APIContext) async throws -> Response {
        let input = try await server.body.decode(from: request, plainly: InitiateLoginRequest.init(plain:))
        let checked = Result { try read(input, request) }
        let source = following.source(of: request, context)
        // An unreadable request proves no device. Only callers whom the limits admit get its error.
        let signed = try? checked.get().signed
        let admission = try await service.admitStart(
            from: source,
            proofs: replies.cookies.proofs(of: request, credential: request.deviceCredential, signed: signed)
        )
        let start = try checked.get()
        // Another daemon may follow the older login. One that can't be read goes on to its deadline.
        if let older = input.supersedes.flatMap({ UUIDBits($0) }) { _ = try? await service.load(older) }
        let begun = try await service.begin(
            BeginOperation(
                email: start.email,
                policy: start.policy,
                codeChallenge: start.challenge,
                deviceProof: start.deviceProof,
                binding: OperationBinding(
                    mode: start.mode,
                    origin: following.origin(of: start.email, for: start.policy, mode: start.mode, request, context),
                    redirectBack: start.returnURL.map { RedirectBack(url: $0) }
                ),
                source: source,
                admission: admission,
                superseding: start.superseding
            )
        )
        let scan = start.policy.landing.step == .direct && start.mode == .sameDevice ? await scan(of: begun) : nil
        var response = scan ?? following.reply(to: begun, at: server.publicURL)
        response.set(callers.bindingCookie(begun, isSecure: isSecure))
        // The person has just begun the login on this server's own page, and is not asked whether they did. A login for
        // another device asks all the same: its number belongs to the device that opens the link.
        if begun.operation.asksFirst, start.mode == .sameDevice, server.ownPages.surelySent(request) {
            CompanionCookies.ownLogin(begun.operation, isSecure: isSecure).set(begun.bindingCookie, on: &response)
        }
        return response
    }

    private func read(_ input: InitiateLoginRequest, _ request: Request) throws -> LoginStart {
        let policy = try surface.policy(input.clientId, request)
        let mode = try mode(input, policy)
        let challenge = try challenge(input, policy)
        return LoginStart(
            policy: policy,
            mode: mode,
            challenge: challenge,
            email: try email(input.email),
            deviceProof: try deviceProof(input, request, for: challenge),
            returnURL: try returnURL(input, policy),
            superseding: try superseding(input, request)
        )
    }

    private func mode(_ input: InitiateLoginRequest, _ policy: ClientPolicy) throws -> LoginMode {
        guard let text = input.mode else { return .sameDevice }
        guard let mode = LoginMode(rawValue: text) else { throw APIError.invalidMode }
        // The browser that returns to the app is on another device: the app would wait for a code that never arrives.
        guard mode == .sameDevice || !policy.landing.requiresReturn else { throw APIError.modeNotOffered }
        return mode
    }

    /// Returns the code challenge, which has 43 characters and the method S256 (RFC 7636 §4.2, §4.3).
    private func challenge(_ input: InitiateLoginRequest, _ policy: ClientPolicy) throws -> Digest256? {
        guard input.codeChallengeMethod == nil || input.codeChallengeMethod == "S256" else {
            throw APIError.unsupportedChallengeMethod
        }
        guard let text = input.codeChallenge else {
            guard policy.verifier == .optional else { throw APIError.verifierRequired }
            guard input.codeChallengeMethod == nil else { throw APIError.invalidCodeChallenge }
            return nil
        }
        guard let digest = Base64URL.decode(text).flatMap({ Digest256($0) }) else {
            throw APIError.invalidCodeChallenge
        }
        return digest
    }

    /// Returns the address, if it is well-formed.
    ///
    /// An unknown address is no error.
    private func email(_ text: String) throws -> String {
        guard text.utf8.count <= 320, text.contains("@"), !text.unicodeScalars.contains(where: { $0.value < 0x20 })
        else { throw APIError.invalidEmail }
        return text
    }

    /// Returns the start's proof of a registered device; an invalid proof is no error and makes the login a decoy.
    private func deviceProof(
        _ input: InitiateLoginRequest,
        _ request: Request,
        for challenge: Digest256?
    ) throws -> DeviceProof {
        let (device, signature, count) = (input.deviceId, input.deviceSignature, input.deviceCount)
        let signed = try ClaimedSignature(of: device, signature: signature, count: count, at: environment.now())
        let cookies = SignInCookies.deviceCookies(of: request).digests
        guard let signed else { return DeviceProof(cookies: cookies, credential: request.deviceCredential) }
        guard let challenge else {
            throw APIError.invalidRequest("“deviceId”, “deviceSignature” and “deviceCount” go with a “codeChallenge”.")
        }
        return DeviceProof(
            cookies: cookies,
            credential: request.deviceCredential,
            signature: DeviceSignature(
                device: signed.device,
                codeChallenge: challenge,
                count: signed.count,
                bytes: signed.bytes
            )
        )
    }

    /// Returns the app's address to which the browser returns; `nil` if the request names none.
    private func returnURL(_ input: InitiateLoginRequest, _ policy: ClientPolicy) throws -> String? {
        guard let url = input.returnUrl else {
            guard !policy.landing.requiresReturn else { throw APIError.invalidReturnURL }
            return nil
        }
        // Addresses are compared byte for byte (RFC 9700 §2.1, §4.1.3): looser comparisons have been exploited.
        guard policy.landing.returnURLs.contains(where: { $0.utf8.elementsEqual(url.utf8) }) else {
            throw APIError.invalidReturnURL
        }
        return url
    }

    /// Returns the older login that the request replaces, with the request's proof of it: verifier header or cookie.
    private func superseding(_ input: InitiateLoginRequest, _ request: Request) throws -> Superseding? {
        guard let text = input.supersedes else { return nil }
        guard let id = UUIDBits(text) else { throw APIError.invalidRequest("“supersedes” must be the id of a login.") }
        let publicID = Digest256(sha256: id)
        return Superseding(publicID, provenBy: callers.caller(request, of: publicID))
    }

    /// Returns the answer for a client without a landing page: the provider's own address, after starting the scan.
    ///
    /// Returns `nil` for a decoy, and if the provider cannot start a scan now. The client then gets the landing page's
    /// link.
    private func scan(of begun: BegunOperation) async -> Response? {
        let outcome = try? await service.open(
            ticket: begun.ticket.expose(),
            browserCookie: nil,
            returnTo: "\(server.publicURL)/go/\(begun.ticket.expose())/return"
        )
        guard case .toProvider(let page, _) = outcome,
            let operation = service.cache.card(begun.operation.credentials.publicID)?.operation
        else { return nil }
        return JSONReply.encode(
            InitiateLoginResponse(
                operationId: begun.publicID.description,
                url: page.expose(),
                operationExpiresIn: Int(operation.request.policy.timing.lifetime.secondsRoundedUp),
                interval: following.pollInterval,
                seq: operation.seq
            )
        )
    }
}
