import Kernel
import Outbound
import Upstreams
import Wallet

/// The clients for the banks of the config, over one HTTP client.
struct BankRegistry: Sendable {
    let gateway: any BankGateway
    private let http: OutboundHTTP

    /// `gateway`: used instead of the HTTP client for banks.
    init(clock: any MonotonicClock, gateway: (any BankGateway)? = nil) {
        http = OutboundHTTP(OutboundLimits(connectionsPerHost: 32), clock: clock)
        self.gateway = gateway ?? HTTPBankGateway(http)
    }

    func shutdown() async { await http.shutdown() }
}
