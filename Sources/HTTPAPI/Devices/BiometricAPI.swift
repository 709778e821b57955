import Devices
import Hummingbird
import Kernel
import Operations
import Sessions
import SignIn
import Web
import Wire

/// Signs people in by a key of their device, which the device unlocks with face or fingerprint.
struct BiometricAPI: Sendable {
    let keys: DeviceKeyService
    let surface: AccountSurface
    let signIn: DeviceKeySignIn
    let replies: SignInReplies
    let coolingOff: CoolingOff
    let limits: DeviceLimits?
    let addresses: ClientAddresses
    let body: JSONBody

    var routes: [Route] {
        [
            Route(.post, "/api/mobile/auth/biometric/setup", access: .session(.wallet, .recent), use: setUp),
            Route(.post, "/api/mobile/auth/biometric/challenge", access: .everybody, use: challenge),
            Route(
                .post,
                "/api/mobile/auth/biometric/verify",
                access: .holder(of: .credentials, accepting: .dpop),
                use: verify
            ),
        ]
    }

    /// `POST /api/mobile/auth/biometric/setup`: for a person who has just signed in on the device.
    private func setUp(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let input = try await body.decode(BiometricSetupRequest.self, from: request)
        var isDeviceProven = who.isDeviceProven
        if !isDeviceProven { isDeviceProven = try await coolingOff.isBeyondPassword(who) }
        let setup = DeviceKeyRequest(
            requester: DeviceKeyRequest.Requester(
                account: who.account,
                session: who.session,
                device: who.device,
                isDeviceProven: isDeviceProven,
                isMailboxProven: who.isMailboxProven
            ),
            device: DeviceName(client: who.client, device: try DeviceInput.id(input.deviceId)),
            key: try DeviceInput.key(input.publicKey),
            biometric: try DeviceInput.biometric(input.biometricType),
            oldSignature: try input.oldKeySignature.map { try DeviceInput.signature($0, "oldKeySignature") },
            asker: context.requester(of: request)
        )
        switch try await keys.setUp(setup) {
        case .enabled, .unchanged: return JSONReply.encode(BiometricSetupResponse(biometricId: setup.key.thumbprint))
        case .unknownDevice: throw APIError.deviceNotFound
        case .oldKeyRequired, .deviceUnproven: throw APIError.stepUpRequired
        }
    }

    /// `POST /api/mobile/auth/biometric/challenge`: for every caller; a bearer token is ignored.
    private func challenge(_ request: Request, _ context: APIContext) async throws -> Response {
        let input = try await body.decode(BiometricChallengeRequest.self, from: request)
        let device = try DeviceInput.id(input.deviceId)
        let address = addresses.client(of: request, context)
        // The look-up comes first: ids of unknown devices are the caller's choice, and cost no statement beyond it.
        try await limits?.admitLookup(of: device, from: address)
        try await limits?.admitChallenge(of: device, from: address)
        let name = DeviceName(client: try surface.policy().clientID, device: device)
        guard let challenge = try await keys.challenge(for: name) else {
            throw APIError.biometricNotEnabled
        }
        limits?.noteFound(device)
        return JSONReply.encode(
            BiometricChallengeResponse(challenge: challenge.text, expiresAt: challenge.expiresAt.internetDate)
        )
    }

    /// `POST /api/mobile/auth/biometric/verify`: signs the person in by the signature.
    private func verify(_ request: Request, _ context: APIContext) async throws -> Response {
        let input = try await body.decode(BiometricVerifyRequest.self, from: request)
        let device = try DeviceInput.id(input.deviceId)
        let policy = try surface.policy()
        let answer = ChallengeAnswer(
            device: DeviceName(client: policy.clientID, device: device),
            challenge: String(input.challenge.prefix(64)),
            signature: try DeviceInput.signature(input.signature, "signature")
        )
        let address = addresses.client(of: request, context)
        try await limits?.admitLookup(of: device, from: address)
        try await limits?.admitAnswer(of: device, from: address)
        let key = try replies.key(of: request)
        let verdict = try await keys.check(answer)
        if verdict != .notEnabled { limits?.noteFound(device) }
        guard case .proven(let proven) = verdict,
            let opened = try await open(proven, of: context.requester(of: request), for: policy, boundTo: key)
        else {
            try await limits?.noteWrongAnswer(of: device, from: address)
            throw verdict == .notEnabled ? APIError.biometricNotEnabled : APIError.unauthorized(.badSignature)
        }
        return try replies.answer(opened, "Signed in", for: request)
    }

    /// Opens the session; `nil` if another request has used the challenge, or the account cannot sign in.
    private func open(
        _ proven: ProvenDevice,
        of person: Requester,
        for policy: ClientPolicy,
        boundTo key: PresentedKey?
    ) async throws -> OpenedSession? {
        let signInRequest = SignInRequest(
            account: proven.account,
            proof: .deviceKey(proven.biometric),
            policy: policy,
            device: SignInOrigin(device: proven.device, name: proven.name, person: person),
            key: key
        )
        return try await signIn.open(signInRequest, by: proven)
    }
}
