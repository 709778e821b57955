import Foundation

extension ClientEnvironment {
    /// The system's clocks and source of randomness, which the SDK uses only here.
    public static let system: ClientEnvironment = {
        // This clock also runs while a phone sleeps, as the server's deadline does.
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
