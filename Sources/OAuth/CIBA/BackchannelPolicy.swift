/// The intervals and lifetimes of backchannel requests.
package struct BackchannelPolicy: Sendable, Equatable {
    /// The time between two polls of a client (`interval`, CIBA Core §7.3).
    package var interval: Duration
    /// The lifetime of a request without `requested_expiry`.
    package var lifetime: Duration

    package init(interval: Duration = .seconds(5), lifetime: Duration = .seconds(180)) {
        self.interval = interval
        self.lifetime = lifetime
    }

    /// The bounds of `requested_expiry` in seconds.
    ///
    /// Less is too short to open the link; after more, people forget the reason.
    package static let lifetimes: ClosedRange<Int64> = 30...600
    /// The multiple to which lifetimes are rounded up, in seconds.
    ///
    /// So requests share few different client policies.
    private static let step: Int64 = 30

    /// Returns the lifetime for the requested seconds, within the bounds.
    ///
    /// CIBA Core §7.1 lets the server decide.
    package func lifetime(asked seconds: Int64?) -> Duration {
        guard let seconds else { return lifetime }
        let rounded = (min(seconds, Self.lifetimes.upperBound) + Self.step - 1) / Self.step * Self.step
        return .seconds(min(max(rounded, Self.lifetimes.lowerBound), Self.lifetimes.upperBound))
    }

    /// Returns the time from the approval to the last possible first collection: several polls, or all attempts of a
    /// notice.
    package static func collectionWindow(_ delivery: OAuthClient.Backchannel.Delivery) -> Duration {
        switch delivery {
        case .poll: .seconds(120)
        case .ping, .push: .seconds(300)
        }
    }

    /// Returns the time from the first collection to the last possible repetition of it.
    package static func redeliveryWindow(_ delivery: OAuthClient.Backchannel.Delivery) -> Duration {
        switch delivery {
        case .poll, .ping: .seconds(120)
        case .push: .seconds(300)
        }
    }

    /// The time for which a request is kept after its last window, so that a late poll is told the outcome.
    package static let memory: Duration = .seconds(600)
}
