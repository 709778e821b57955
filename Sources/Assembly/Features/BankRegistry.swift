import Kernel
import Outbound
import Upstreams
import Wallet

/// The way to the banks of the config, over one HTTP client.
struct BankRegistry: Sendable {
    let gateway: any BankGateway
    private let http: OutboundHTTP

    /// `gateway`: asks the banks in the place of the one that there is.
    init(clock: any MonotonicClock, gateway: (any BankGateway)? = nil) {
        http = OutboundHTTP(OutboundLimits(connectionsPerHost: 32), clock: clock)
        self.gateway = gateway ?? HTTPBankGateway(http)
    }

    func shutdown() async { await http.shutdown() }
}
