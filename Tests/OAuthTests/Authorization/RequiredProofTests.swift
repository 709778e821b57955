import Kernel
import Testing

@testable import OAuth

/// Tests the required proof: one rule for an existing session and for a new sign-in.
struct RequiredProofTests {
    private typealias Fixture = AuthorizationFixture
    private let fixture = AuthorizationFixture()

    /// By what sessions begin: a password, a mailed code, nothing that is known, a face, a passkey, both, a passkey that
    /// does not count yet.
    private static let ways: [[String]] = [
        ["pwd"], ["otp"], [], ["user"], ["face"], ["hwk", "user", "mfa"], ["swk", "user", "mfa"],
        ["face", "hwk", "user", "mfa"], ["swk", "user"], ["face", "hwk", "user"], ["swk"],
    ]

    // O-025
    @Test(arguments: [
        (RequiredProof.any, [true, true, true, true, true, true, true, true, true, true, true]),
        (.faceOrPasskey, [false, false, false, false, true, true, true, true, true, true, false]),
        (.face, [false, false, false, false, true, false, false, true, false, true, false]),
        (.passkey, [false, false, false, false, false, true, true, true, false, false, false]),
        (.both, [false, false, false, false, false, false, false, true, false, false, false]),
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

    // O-025
    @Test(
        arguments: [
            (RequiredProof.any, [.mail], [false, true, false, false, false, false, false, false, false, false, false]),
            (.any, [.passkey, .password], [true, false, false, false, false, true, true, true, true, true, true]),
            (.faceOrPasskey, [.passkey], [false, false, false, false, false, true, true, true, true, true, false]),
            (.faceOrPasskey, [.face], [false, false, false, false, true, false, false, true, false, true, false]),
            (.both, [.face, .passkey], [false, false, false, false, false, false, false, true, false, false, false]),
        ] as [(RequiredProof, Set<SignInWay>, [Bool])]
    )
    func `a session is enough only by a way that the client names`(
        _ requires: RequiredProof,
        _ ways: Set<SignInWay>,
        _ expected: [Bool]
    ) throws {
        let client = Fixture.client(requires: requires, ways: ways)
        let request = try fixture.read([:])
        for (methods, isEnough) in zip(Self.ways, expected) {
            let proven = fixture.proven(methods, before: .seconds(5))
            #expect(try isGranted(request, session: proven, client) == isEnough, "a session by \(methods)")
            #expect(try isGranted(request, fresh: proven, client) == isEnough, "just now, by \(methods)")
        }
    }

    @Test func `ways that the required proof refuses can't be named, and of two required ones none is left out`() {
        #expect(RequiredProof.allCases.allSatisfy { $0.allows([]) })
        #expect(RequiredProof.any.allows(Set(SignInWay.allCases)) && RequiredProof.faceOrPasskey.allows([.face]))
        #expect(!RequiredProof.faceOrPasskey.allows([.passkey, .mail]) && !RequiredProof.passkey.allows([.face]))
        #expect(RequiredProof.both.allows([.face, .passkey]) && !RequiredProof.both.allows([.face]))
    }

    @Test(
        arguments: [
            (RequiredProof.any, [.passkey, .mail], nil, [.passkey, .mail]), (.any, [.mail], "passkey", [.passkey]),
            (.faceOrPasskey, [.face], nil, [.face]),
        ] as [(RequiredProof, Set<SignInWay>, String?, Set<SignInWay>)]
    )
    func `the page offers the ways that the client names, and what the request asks for before them`(
        _ requires: RequiredProof,
        _ ways: Set<SignInWay>,
        _ wish: String?,
        _ offered: Set<SignInWay>
    ) throws {
        let client = Fixture.client(requires: requires, ways: ways)
        let request = try fixture.read(["acr_values": wish])
        let step = fixture.service.step(request, session: nil, client: client, hasConsented: true)
        #expect(step == .signIn(offered, hint: nil))
        guard wish != nil else { return }
        let next = fixture.service.step(
            interaction(request, fresh: fixture.proven(["hwk", "user", "mfa"])),
            session: nil,
            client: client,
            hasConsented: true
        )
        #expect(next == .signIn(ways, hint: nil), "no page is without a way")
    }

    @Test func `names of ways are read back, and an unknown one is refused`() {
        #expect(Set<SignInWay>([.password, .passkey]).text == "passkey password")
        #expect(Set<SignInWay>(parsing: "mail passkey") == [.passkey, .mail] && Set<SignInWay>(parsing: "") == [])
        #expect(Set<SignInWay>(parsing: "passkey scan") == nil)
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
            (RequiredProof.any, nil, Set(SignInWay.allCases)), (.faceOrPasskey, nil, [.face, .passkey]),
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
