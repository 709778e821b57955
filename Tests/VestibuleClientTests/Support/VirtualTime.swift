import Foundation

@testable import VestibuleClient

/// A clock that moves when somebody sleeps, and randomness that repeats itself.
final class VirtualTime: @unchecked Sendable {
    // Guarded by the lock.
    private var elapsed = Duration.zero
    private var drawn: UInt8 = 0
    private let lock = NSLock()

    static let epoch = Date(timeIntervalSince1970: 1_750_000_000)

    var uptime: Duration { lock.withLock { elapsed } }
    var now: Date { Self.epoch.addingTimeInterval(uptime.seconds) }

    func advance(by duration: Duration) { lock.withLock { elapsed += duration } }

    var environment: ClientEnvironment {
        ClientEnvironment(
            now: { self.now },
            // The zero of such a clock means nothing.
            uptime: { self.uptime + .seconds(1000) },
            sleep: { duration in
                try Task.checkCancellation()
                self.advance(by: duration)
            },
            randomBytes: { count in
                self.lock.withLock {
                    (0..<count).map { _ in
                        self.drawn &+= 37
                        return self.drawn
                    }
                }
            }
        )
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
