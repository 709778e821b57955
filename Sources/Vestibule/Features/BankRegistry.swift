import Kernel
import Outbound
import Settings
import Upstreams
import Wallet

/// The banks of the config, and the way to them over one HTTP client.
struct BankRegistry: Sendable {
    /// The entries by the operator's name for each.
    let banks: [String: Bank]
    let gateway: any BankGateway
    private let http: OutboundHTTP

    /// `gateway`: asks the banks in the place of the one that there is.
    init(_ settings: Settings, clock: any MonotonicClock, gateway: (any BankGateway)? = nil) {
        banks = settings.banks
        http = OutboundHTTP(OutboundLimits(connectionsPerHost: 32), clock: clock)
        self.gateway = gateway ?? HTTPBankGateway(http)
    }

    func shutdown() async { await http.shutdown() }
}
