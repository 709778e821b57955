import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import MemoryStore
import NIOCore
import Operations
import Sessions
import Settings
import Synchronization
import Testing
import TokenForgeries
import Wire

@testable import Assembly
@testable import HTTPAPI

/// A DPoP proof that was granted something is remembered by the database, not by the process alone.
struct ProofRestartTests {
    private static let path = "/api/mobile/auth/login/password"
    private let maker = DPoPMaker()

    // T-246, T-242
    @Test(arguments: HarnessStorage.databases)
    func `attack: a DPoP proof of a sign-in is refused after a restart`(_ storage: HarnessStorage) async throws {
        let folder = try TestFolder()
        let kept = Mutex<HTTPFields?>(nil)
        try await Harness.run(storage: storage, folder: folder) { harness in
            try await harness.register("eve@example.com")
            let made = harness.proving(.post, Self.path, maker)
            let answer = try await harness.passwordSignIn("eve@example.com", path: Self.path, with: made)
            #expect(answer.status == .ok, "\(answer.text)")
            kept.withLock { $0 = made }
        }
        try await Harness.run(storage: storage, folder: folder, seed: 2) { harness in
            let made = try #require(kept.withLock { $0 })
            // More often than a wrong password could be tried: the password is right, and counts as such.
            for _ in 1...6 {
                let replay = try await harness.passwordSignIn("eve@example.com", path: Self.path, with: made)
                try harness.expect(replay, is: "invalid_dpop_proof", 400)
            }
            let fresh = harness.proving(.post, Self.path, maker)
            let answer = try await harness.passwordSignIn("eve@example.com", path: Self.path, with: fresh)
            #expect(answer.status == .ok, "\(answer.text)")
        }
    }

    // T-246, T-242
    @Test(arguments: HarnessStorage.databases)
    func `attack: a DPoP proof of a refresh is refused after a restart, and ends nothing`(
        _ storage: HarnessStorage
    ) async throws {
        let folder = try TestFolder()
        let kept = Mutex<(made: HTTPFields, access: String)?>(nil)
        func rotating(_ settings: inout Settings) {
            for index in settings.clients.indices { settings.clients[index].refresh.rotation = .always }
        }
        try await Harness.run(storage: storage, folder: folder, rotating) { harness in
            let tokens = try await harness.signIn(by: maker)
            let made = harness.proving(.post, "/auth/refresh", maker, .bearing(tokens.refreshToken))
            #expect(try await harness.send(.post, "/auth/refresh", made).status == .ok)
            kept.withLock { $0 = (made, tokens.accessToken) }
        }
        try await Harness.run(storage: storage, folder: folder, seed: 2, rotating) { harness in
            let (made, access) = try #require(kept.withLock { $0 })
            try harness.expect(try await harness.send(.post, "/auth/refresh", made), is: "invalid_dpop_proof", 400)
            #expect(try await harness.ask("/auth/me", access, maker).status == .ok)
        }
    }

    // T-246
    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `attack: of two daemons with one database one accepts a DPoP proof`(_ storage: HarnessStorage) async throws {
        try await Harness.run(storage: storage) { harness in
            try await harness.register("eve@example.com")
            let other = Application(responder: harness.composition.http().responder(), logger: harness.log.logger)
            let made = harness.proving(.post, Self.path, maker)
            let answers = try await other.test(.router) { client in
                try await withThrowingTaskGroup(of: TestResponse.self) { group in
                    for number in 0..<4 {
                        group.addTask {
                            let daemon = number.isMultiple(of: 2) ? client : harness.client
                            return try await harness.passwordSignIn("eve@example.com", made, at: daemon)
                        }
                    }
                    return try await group.reduce(into: [TestResponse]()) { $0.append($1) }
                }
            }
            #expect(answers.count { $0.status == .ok } == 1, "\(answers.map(\.status.code))")
            for answer in answers where answer.status != .ok {
                try harness.expect(answer, is: "invalid_dpop_proof", 400)
            }
        }
    }

    @Test(arguments: HarnessStorage.databases)
    func `the mark of a proof is purged once no clock accepts the proof, and never before`(
        _ storage: HarnessStorage
    ) async throws {
        try await Harness.run(storage: storage) { harness in
            try await harness.register("eve@example.com")
            let made = harness.proving(.post, Self.path, maker)
            #expect(try await harness.passwordSignIn("eve@example.com", path: Self.path, with: made).status == .ok)
            let now = harness.composition.environment.now()
            let purge = harness.composition.stores.upkeep.purge(of: .usedMarks)
            @Sendable func purged(at time: Instant) async throws -> Int {
                try await harness.composition.unitOfWork.run { try purge(time - UsedMark.memory, 10, $0) }
            }
            // The proof says this second, and counts for two minutes.
            let end = Instant(seconds: now.seconds) + .seconds(120)
            #expect(try await purged(at: end + UsedMark.memory) == 0)
            let replay = try await harness.passwordSignIn("eve@example.com", path: Self.path, with: made)
            try harness.expect(replay, is: "invalid_dpop_proof", 400)
            #expect(try await purged(at: end + UsedMark.memory + .milliseconds(2)) == 1)
        }
    }

    @Test func `a sign-in without a proof writes no mark`() async throws {
        try await Harness.run(storage: .sqlite) { harness in
            try await harness.register("eve@example.com")
            #expect(try await harness.passwordSignIn("eve@example.com", path: Self.path).status == .ok)
            let purge = harness.composition.stores.upkeep.purge(of: .usedMarks)
            let end = Instant(seconds: 9_000_000_000)
            #expect(try await harness.composition.unitOfWork.run { try purge(end, 10, $0) } == 0)
        }
    }
}

extension Harness {
    /// Signs in by a password at one of several daemons.
    fileprivate func passwordSignIn(
        _ email: String,
        _ headers: HTTPFields,
        at daemon: any TestClientProtocol
    ) async throws -> TestResponse {
        var headers = headers
        headers[.contentType] = "application/json"
        let body = #"{"email": "\#(email)", "password": "\#(Self.password)", "deviceId": "\#(Self.phone)"}"#
        return try await daemon.execute(
            uri: "/api/mobile/auth/login/password",
            method: .post,
            headers: headers,
            body: ByteBuffer(string: body)
        )
    }
}
