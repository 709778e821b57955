import HTTPTypes
import Hummingbird
import Kernel
import Operations
import Wire

extension FaceLoginAPI {
    /// `POST /auth/biometric-login/initiate`: 200 for every e-mail, known or not.
    @Sendable func initiate(_ request: Request, _ context: APIContext) async throws -> Response {
        let order = try await body.decode(InitiateLoginRequest.self, from: request)
        let admission = try service.admitStart(
            from: source(of: request, context),
            proofs: broughtProofs(order, request)
        )
        let policy = try client(order, request)
        let mode = try mode(order, policy)
        let challenge = try challenge(order, policy)
        let begun = try await service.begin(
            BeginOrder(
                email: try email(order.email),
                policy: policy,
                codeChallenge: challenge,
                deviceCookies: callers.deviceCookies(request).digests,
                deviceProof: try deviceProof(order, request, challenge),
                mode: mode,
                origin: origin(of: order, policy, mode, request, context),
                returnURL: try returnURL(order, policy),
                source: following.source(of: request, context),
                admission: admission,
                superseding: try superseding(order, request)
            )
        )
        if policy.landing.step == .direct, mode == .sameDevice, let response = await directReply(begun, policy) {
            return response
        }
        var response = InitiateReply.encode(
            operationID: begun.publicID,
            url: "\(settings.publicURL)/go/\(begun.ticket.expose())",
            expiresIn: policy.lifetime.secondsRoundedUp,
            interval: settings.pollInterval,
            number: begun.operation.binding.number,
            seq: begun.operation.seq
        )
        response.set(callers.bindingCookie(begun, policy: policy, isSecure: isSecure))
        return response
    }

    func client(_ order: InitiateLoginRequest, _ request: Request) throws -> ClientPolicy {
        let header = request.headers[our: .xClientID]
        if let named = order.clientId, let header, named != header {
            throw APIError.invalidRequest("“clientId” and the header X-Client-Id name different clients.")
        }
        return try clients.client(named: order.clientId ?? header, surface: settings.surfaceClient, at: "bbms")
    }

    private func mode(_ order: InitiateLoginRequest, _ policy: ClientPolicy) throws -> LoginMode {
        guard let text = order.mode else { return .sameDevice }
        guard let mode = LoginMode(rawValue: text) else { throw APIError.invalidMode }
        // The browser that comes back is on the other device: the app would wait for a code that never arrives.
        guard mode == .sameDevice || !policy.landing.requiresReturn else { throw APIError.modeNotOffered }
        return mode
    }

    /// What the account's owner will be told about this request, and the page, where it says anything.
    private func origin(
        of order: InitiateLoginRequest,
        _ policy: ClientPolicy,
        _ mode: LoginMode,
        _ request: Request,
        _ context: APIContext
    ) -> LoginOrigin {
        let isShown = policy.landing.step == .confirm || mode == .crossDevice
        return LoginOrigin(
            email: isShown ? MaskedEmail.mask(order.email) : "",
            address: callers.addresses.client(of: request, context)?.description ?? "",
            agent: AgentFamily.describe(request.headers[.userAgent])
        )
    }

    /// The older login that is named, with what the request proves about it: its verifier in the header, or its cookie.
    private func superseding(_ order: InitiateLoginRequest, _ request: Request) throws -> Superseding? {
        guard let text = order.supersedes else { return nil }
        guard let id = UUIDBits(text) else { throw APIError.invalidRequest("“supersedes” is the id of a login.") }
        let publicID = Digest256(sha256: id)
        return Superseding(publicID, provenBy: callers.caller(request, of: publicID))
    }

    /// An address that can't be one is a fault of the input; one that nobody has is not.
    private func email(_ text: String) throws -> String {
        guard text.utf8.count <= 320, text.contains("@"), !text.unicodeScalars.contains(where: { $0.value < 0x20 })
        else { throw APIError.invalidEmail }
        return text
    }

    /// RFC 7636 §4.2 and §4.3: S256 alone, 43 characters.
    func challenge(_ order: InitiateLoginRequest, _ policy: ClientPolicy) throws -> Digest256? {
        guard order.codeChallengeMethod == nil || order.codeChallengeMethod == "S256" else {
            throw APIError.unsupportedChallengeMethod
        }
        guard let text = order.codeChallenge else {
            guard policy.verifier == .optional else { throw APIError.verifierRequired }
            guard order.codeChallengeMethod == nil else { throw APIError.invalidCodeChallenge }
            return nil
        }
        guard let digest = Base64URL.decode(text).flatMap({ Digest256($0) }) else {
            throw APIError.invalidCodeChallenge
        }
        return digest
    }
}
