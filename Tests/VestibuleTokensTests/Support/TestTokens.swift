import Foundation
import Kernel
import Synchronization
import TokenReading
import Tokens
import VestibuleTokens

/// Claims of every kind of token.
enum TestTokens {
    static let audience = "shop"

    static func access(
        at now: Instant,
        lifetime: Duration = .seconds(3600),
        audience: String = audience,
        scopes: Set<String>? = nil
    ) -> AccessClaims {
        let environment = TestEnvironment.environment(at: now)
        return AccessClaims(
            account: environment.newID(),
            audience: audience,
            clientID: "shop-ios",
            session: environment.newID(),
            deviceID: "device-1",
            tokenID: environment.newUUID().description,
            issuedAt: now,
            expiresAt: now + lifetime,
            authenticatedAt: now - .seconds(30),
            methods: ["face", "mfa"],
            contextClass: nil,
            scopes: scopes
        )
    }

    static func refresh(at now: Instant) -> RefreshClaims {
        let environment = TestEnvironment.environment(at: now)
        return RefreshClaims(
            account: environment.newID(),
            session: environment.newID(),
            deviceID: nil,
            tokenID: environment.newUUID().description,
            issuedAt: now,
            expiresAt: now + .seconds(86_400)
        )
    }

    static func approval(at now: Instant) -> ApprovalClaims {
        let environment = TestEnvironment.environment(at: now)
        return ApprovalClaims(
            account: environment.newID(),
            audience: audience,
            clientID: "shop-ios",
            session: environment.newID(),
            tokenID: environment.newUUID().description,
            issuedAt: now,
            expiresAt: now + .seconds(300),
            authenticatedAt: now,
            operationTime: now,
            subject: .init(message: "Send it")
        )
    }

    static func checkpoint(at now: Instant) -> CheckpointClaims {
        CheckpointClaims(node: "local", number: 1, hash: .zero, at: now)
    }
}

enum TestEnvironment {
    static func environment(at now: Instant) -> Environment {
        Environment(now: { now }, clock: StillClock()) { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
    }

    private struct StillClock: MonotonicClock {
        let now = Uptime(nanoseconds: 0)
        func sleep(until deadline: Uptime) async throws {}
    }
}

/// Clocks that a test sets.
final class SetClock: Sendable {
    private let elapsed = Mutex(Duration.zero)
    private let start: Instant

    init(_ start: Instant) { self.start = start }

    func advance(_ duration: Duration) { elapsed.withLock { $0 += duration } }

    var now: Instant { start + elapsed.withLock { $0 } }

    var time: VerifierTime {
        VerifierTime(now: { self.now }, uptime: { Uptime(nanoseconds: self.elapsed.withLock { $0 }.wholeNanoseconds) })
    }
}

/// Answers as it was told, the last answer over and over; counts.
actor ScriptedKeySetSource: KeySetSource {
    struct DownError: Error {}

    private var answers: [Result<KeySetDocument, DownError>]
    private(set) var count = 0
    private var gate: [CheckedContinuation<Void, Never>]?

    init(_ answers: [Result<KeySetDocument, DownError>]) { self.answers = answers }

    func fetch() async throws -> KeySetDocument {
        count += 1
        if gate != nil { await withCheckedContinuation { gate?.append($0) } }
        guard let answer = answers.count > 1 ? answers.removeFirst() : answers.first else { throw DownError() }
        return try answer.get()
    }

    func answer(_ answer: Result<KeySetDocument, DownError>) { answers = [answer] }

    /// Holds answers back until ``open()``.
    func close() { gate = [] }

    func open() {
        for waiting in gate ?? [] { waiting.resume() }
        gate = nil
    }
}

/// A folder of a test's own, gone with the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("offline-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
