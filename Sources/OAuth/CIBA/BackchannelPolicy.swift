/// The times of backchannel requests.
package struct BackchannelPolicy: Sendable, Equatable {
    /// `interval`: what clients wait between two polls (CIBA Core §7.3).
    package var interval: Duration
    /// How long a request lasts that asks for nothing else.
    package var lifetime: Duration

    package init(interval: Duration = .seconds(5), lifetime: Duration = .seconds(180)) {
        self.interval = interval
        self.lifetime = lifetime
    }

    /// What `requested_expiry` may come to: shorter, and nobody could open the link; longer, and the person no longer knows
    /// what they were asked for.
    package static let lifetimes: ClosedRange<Int64> = 30...600
    /// What lifetimes are rounded up to: the rows of requests share their policies.
    private static let step: Int64 = 30

    /// The lifetime that a request of so many seconds gets, within the bounds (CIBA Core §7.1 lets the server decide).
    package func lifetime(asked seconds: Int64?) -> Duration {
        guard let seconds else { return lifetime }
        let rounded = (min(seconds, Self.lifetimes.upperBound) + Self.step - 1) / Self.step * Self.step
        return .seconds(min(max(rounded, Self.lifetimes.lowerBound), Self.lifetimes.upperBound))
    }

    /// From the approval to the latest first collection: a few polls, or the time in which a notice is tried again.
    package static func collectionWindow(_ delivery: OAuthClient.Backchannel.Delivery) -> Duration {
        switch delivery {
        case .poll: .seconds(120)
        case .ping, .push: .seconds(300)
        }
    }

    /// From the first collection to the last repeated one.
    package static func redeliveryWindow(_ delivery: OAuthClient.Backchannel.Delivery) -> Duration {
        switch delivery {
        case .poll, .ping: .seconds(120)
        case .push: .seconds(300)
        }
    }

    /// How long a request is remembered beyond its last window, so that a late poll is told what came of it.
    package static let memory: Duration = .seconds(600)
}
