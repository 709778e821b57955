package import Outbound

/// The bounds of a provider's requests, whatever its adapter.
package struct CallLimits: Sendable, Equatable {
    package var connectTimeout: Duration = .seconds(3)
    /// The timeout of each request by itself; a call may need more than one when its token has to be renewed.
    package var requestTimeout: Duration = .seconds(10)
    /// Status checks in progress at one time.
    package var checkConcurrency = 32
    package var maxResponseBytes = 65_536

    package init() {}

    /// Returns the limits of the adapter's HTTP client.
    ///
    /// There is a connection for every check and every start that may be in progress, and some for tokens, accounts and
    /// scans that are ended. So none queues behind another.
    package func outbound(starts: Int) -> OutboundLimits {
        OutboundLimits(connectTimeout: connectTimeout, connectionsPerHost: checkConcurrency + starts + 8)
    }
}
