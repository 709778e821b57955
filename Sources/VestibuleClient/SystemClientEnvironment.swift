import Foundation

extension ClientEnvironment {
    /// The clocks and the random source of the system: the only place where the SDK touches them.
    public static let system: ClientEnvironment = {
        // Counts on while a phone sleeps: the server's deadline does too.
        let start = ContinuousClock.now
        return ClientEnvironment(
            now: { Date() },
            uptime: { start.duration(to: .now) },
            sleep: { try await Task.sleep(for: $0, clock: .continuous) },
            randomBytes: { count in
                var source = SystemRandomNumberGenerator()
                return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &source) }
            }
        )
    }()
}
