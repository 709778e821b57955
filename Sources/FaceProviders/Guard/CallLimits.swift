package import Outbound

/// The bounds of a provider's requests, for every adapter.
package struct CallLimits: Sendable, Equatable {
    package var connectTimeout: Duration = .seconds(3)
    /// The timeout of each single request: a call may need more than one when its token has to be renewed.
    package var requestTimeout: Duration = .seconds(10)
    /// The number of status checks at one time.
    package var checkConcurrency = 32
    package var maxResponseBytes = 65_536

    package init() {}

    /// Returns the limits of the adapter's HTTP client.
    ///
    /// There is a connection for every check and every start that may be in progress. Further ones are for tokens,
    /// accounts and cancelled scans. So no request waits for another's connection.
    package func outbound(starts: Int) -> OutboundLimits {
        OutboundLimits(connectTimeout: connectTimeout, connectionsPerHost: checkConcurrency + starts + 8)
    }
}
