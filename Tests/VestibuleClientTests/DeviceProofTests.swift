import Crypto
import Foundation
import Testing
import Wire

@testable import VestibuleClient

/// The further proofs of a start and of a poll: device proofs, the return address and its code.
@Suite struct DeviceProofTests {
    private static let done: [ScriptedTransport.Step] = [.answer(200, Answers.completed)]

    private func bodies(_ harness: Harness) throws -> [InitiateLoginRequest] {
        try harness.transport.calls(.initiate).map {
            try JSONDecoder().decode(InitiateLoginRequest.self, from: #require($0.request.body))
        }
    }

    @Test func `a credential is sent with the start alone`() async throws {
        let harness = try Harness(poll: Self.done, device: .credential("a device's secret"))
        _ = try await harness.signIn()
        for call in harness.transport.calls {
            #expect(call.header("X-Device-Credential") == (call.route == .initiate ? "a device's secret" : nil))
        }
    }

    @Test func `a key signs every start again, with a number above all before, also when the clock is set back`()
        async throws
    {
        let key = P256.Signing.PrivateKey()
        let store = MemoryTokenStore()
        let future: Int64 = 99_999_999_999_999
        await store.update { $0.deviceCount = future }
        let device = FaceLogin.DeviceProof.key(
            FaceLogin.DeviceKey(device: "phone-1") { try key.signature(for: $0).derRepresentation }
        )
        let harness = try Harness(
            initiate: [.fault(.timedOut), .answer(200, Answers.initiate())],
            poll: Self.done,
            options: .init(clientID: "bbms"),
            device: device,
            store: store
        )
        _ = try await harness.signIn()
        let bodies = try bodies(harness)
        #expect(bodies.map(\.deviceCount) == [future + 1, future + 2])
        for body in bodies {
            let (count, challenge) = (try #require(body.deviceCount), try #require(body.codeChallenge))
            let signed = "vestibule-login-start-v1\nbbms\nphone-1\n\(challenge)\n\(count)"
            let bytes = try #require(body.deviceSignature.flatMap { Data(base64Encoded: $0) })
            let signature = try P256.Signing.ECDSASignature(derRepresentation: bytes)
            #expect(key.publicKey.isValidSignature(signature, for: Data(signed.utf8)))
            #expect(body.deviceId == "phone-1")
        }
        let fresh = try Harness(poll: Self.done, options: .init(clientID: "bbms"), device: device)
        _ = try await fresh.signIn()
        let milliseconds = Int64(VirtualTime.epoch.timeIntervalSince1970 * 1000)
        #expect(try self.bodies(fresh).map(\.deviceCount) == [milliseconds])
    }

    @Test func `a key without a client, without a verifier, or that can't sign starts nothing`() async throws {
        struct LockedError: Error {}
        let key = FaceLogin.DeviceKey(device: "phone-1") { _ in throw LockedError() }
        for options in [FaceLogin.Options(), .init(clientID: "bbms", sendsVerifier: false), .init(clientID: "bbms")] {
            let harness = try Harness(poll: Self.done, options: options, device: .key(key))
            guard case .deviceProofFailed = await harness.failure() else {
                Issue.record("no such error")
                continue
            }
            #expect(harness.transport.calls.isEmpty)
        }
    }

    @Test func `the return address is sent with the start, and its code with every later poll`() async throws {
        let base = "com.example.app:/done"
        let opened = Recorder<FaceLogin>()
        let harness = try Harness(
            poll: [.answer(200, Answers.pending()), .answer(200, Answers.pending()), .answer(200, Answers.completed)],
            options: .init(returnURL: base)
        ) { call in
            guard call.route == .poll, let login = opened.all.first else { return }
            for other in ["\(base)?code=", "\(base)?code=a%0Db", "\(base)x?code=ab", "other:/done?code=ab"] {
                guard let url = URL(string: other) else { continue }
                #expect(await !login.handleReturn(url), "\(other)")
            }
            if let url = URL(string: "\(base)?code=c0de-_") { #expect(await login.handleReturn(url)) }
        }
        opened.append(harness.login)
        _ = try await harness.signIn()
        #expect(try bodies(harness).map(\.returnUrl) == [base])
        #expect(harness.transport.calls(.poll).map { $0.header("X-Return-Code") } == [nil, "c0de-_", "c0de-_"])
        #expect(harness.transport.calls(.ack).allSatisfy { $0.header("X-Return-Code") == nil })
        let url = try #require(URL(string: "\(base)?code=ab"))
        #expect(try await !Harness(poll: Self.done).login.handleReturn(url), "where none was asked for")
    }

    @Test func `after slow_down every poll of the login keeps the longer interval`() async throws {
        let problem = #"{"error":"Slow.","code":"slow_down","message":"Slow.","requestId":"r","interval":7}"#
        let harness = try Harness(
            poll: [
                .answer(200, Answers.pending()), .answer(429, problem, headers: ["Retry-After": "7"]),
                .answer(200, Answers.pending()), .answer(200, Answers.pending()), .answer(200, Answers.completed),
            ])
        _ = try await harness.signIn()
        let times = harness.transport.calls(.poll).map(\.at.seconds)
        #expect(zip(times.dropFirst(), times).map { $0 - $1 } == [2, 7, 7, 7])
    }
}
