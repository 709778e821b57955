import Kernel
import NIOCore

/// The only address to which a client may connect for a host.
struct PinnedAddress: Sendable, Equatable {
    let host: String
    let address: NetworkAddress
    let rule: AddressRule

    /// The names that the HTTP library does not look up, each with its address.
    ///
    /// The library still verifies the certificate of the name, and sends the name in `Host`.
    var overrides: [String: String] { [host: address.description] }

    /// Fails a connection whose peer is not allowed, before anything is sent on it.
    ///
    /// The overrides already prevent such a connection. This check has no part in finding the address.
    func check(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard let peer = channel.remoteAddress?.ipAddress.flatMap({ NetworkAddress($0) }), peer == address,
            rule.allows(peer)
        else {
            channel.close(promise: nil)
            let error = OutboundError.connect(cause: "\(host) is at an address that is not allowed")
            return channel.eventLoop.makeFailedFuture(error)
        }
        return channel.eventLoop.makeSucceededVoidFuture()
    }
}
