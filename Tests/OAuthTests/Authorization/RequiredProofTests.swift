import Kernel
import Testing

@testable import OAuth

/// Tests the required proof: one rule for an existing session and for a new sign-in.
struct RequiredProofTests {
    private typealias Fixture = AuthorizationFixture
    private let fixture = AuthorizationFixture()

    /// By what sessions begin: a password, a mailed code, nothing that is known, a face, a passkey, both.
    private static let ways: [[String]] = [
        ["pwd"], ["otp"], [], ["user"], ["face"], ["hwk", "user", "mfa"], ["swk", "user", "mfa"],
        ["face", "hwk", "user", "mfa"], ["swk"], ["face", "hwk", "user"],
    ]

    // O-025
    @Test(arguments: [
        (RequiredProof.any, [true, true, true, true, true, true, true, true, true, true]),
        (.faceOrPasskey, [false, false, false, false, true, true, true, true, true, true]),
        (.face, [false, false, false, false, true, false, false, true, false, true]),
        (.passkey, [false, false, false, false, false, true, true, true, false, false]),
        (.both, [false, false, false, false, false, false, false, true, false, false]),
    ])
    func `a session meets the required proof exactly when its methods do`(
        _ requires: RequiredProof,
        _ expected: [Bool]
    ) throws {
        let client = Fixture.client(requires: requires)
        let request = try fixture.read([:])
        let silent = try fixture.read(["prompt": "none"])
        for (methods, isEnough) in zip(Self.ways, expected) {
            let proven = fixture.proven(methods, before: .seconds(5))
            #expect(requires.isMet(by: proven.authentication) == isEnough, "\(methods)")
            #expect(try isGranted(request, session: proven, client) == isEnough, "a session by \(methods)")
            #expect(try isGranted(silent, session: proven, client) == isEnough, "prompt=none, by \(methods)")
            #expect(try isGranted(request, fresh: proven, client) == isEnough, "just now, by \(methods)")
        }
    }

    // T-118, O-025
    @Test func `attack: prompt none with a password session gets login_required, whatever acr_values say`() throws {
        for wish in [nil, "face", "passkey"] {
            let request = try fixture.read(["prompt": "none", "acr_values": wish])
            let session = fixture.proven(["pwd"], before: .seconds(5))
            let step = fixture.service.step(request, session: session, client: Fixture.client(), hasConsented: true)
            guard case .answer(let answer) = step else {
                Issue.record("\(step)")
                continue
            }
            #expect(answer.parameters.first?.value == OAuthErrorCode.loginRequired.rawValue)
        }
    }

    @Test(
        arguments: [
            (RequiredProof.any, nil, Set<SignInWay>([.face, .passkey])), (.faceOrPasskey, nil, [.face, .passkey]),
            (.face, nil, [.face]), (.passkey, nil, [.passkey]), (.both, nil, [.face, .passkey]),
            (.passkey, "face", [.face, .passkey]), (.face, "face", [.face]), (.any, "passkey", [.passkey]),
        ] as [(RequiredProof, String?, Set<SignInWay>)]
    )
    func `the page offers the ways that lead to what client and request want together`(
        _ requires: RequiredProof,
        _ wish: String?,
        _ ways: Set<SignInWay>
    ) throws {
        let request = try fixture.read(["acr_values": wish])
        let step = fixture.service.step(
            request,
            session: nil,
            client: Fixture.client(requires: requires),
            hasConsented: true
        )
        #expect(step == .signIn(ways, hint: nil))
    }

    @Test func `a proof that was presented already is not asked for again`() throws {
        let client = Fixture.client(requires: .both)
        let request = try fixture.read([:])
        let step = fixture.service.step(
            interaction(request, fresh: fixture.proven(["face"])),
            session: nil,
            client: client,
            hasConsented: true
        )
        #expect(step == .signIn([.passkey], hint: nil))
    }

    @Test(arguments: [RequiredProof.passkey, .both])
    func `attack: a CIBA client that requires more than a face is refused`(
        _ requires: RequiredProof
    )
        throws
    {
        var metadata = ClientMetadata()
        metadata.grants = [.ciba]
        metadata.requires = requires
        metadata.backchannel = .init(delivery: .poll, notificationEndpoint: nil, requiresSignedRequests: false)
        let fault = #expect(throws: OAuthError.self) {
            try metadata.client(id: "bank", origin: .added, secrets: [SecretHash(.zero)])
        }
        #expect(fault?.code == .invalidClientMetadata && fault?.description.contains(requires.rawValue) == true)
        metadata.requires = .face
        #expect(
            try metadata.client(id: "bank", origin: .added, secrets: [SecretHash(.zero)]).authorization.requires
                == .face
        )
    }

    private func isGranted(
        _ request: AuthorizationRequest,
        session: Interaction.Proven? = nil,
        fresh: Interaction.Proven? = nil,
        _ client: OAuthClient
    ) throws -> Bool {
        let step = fixture.service.step(
            interaction(request, fresh: fresh),
            session: session,
            client: client,
            hasConsented: true
        )
        guard case .grant = step else { return false }
        return true
    }

    private func interaction(_ request: AuthorizationRequest, fresh: Interaction.Proven?) -> Interaction {
        Interaction(
            id: Digest256(sha256: "id"),
            browser: Digest256(sha256: "browser"),
            request: request,
            proven: fresh,
            operation: nil,
            consentedBy: nil,
            createdAt: fixture.environment.now(),
            expiresAt: fixture.environment.now() + .seconds(600)
        )
    }
}
