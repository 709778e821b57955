import HTTPTypes
import Hummingbird
package import Kernel

/// Finds a client's address: the connection's peer or, if that is a trusted proxy, the client that the proxy names.
///
/// Anybody can write the headers that name clients, and so could choose which address the limits count. Therefore no
/// proxy is trusted unless the config lists it.
package struct ClientAddresses: Sendable {
    /// The longest chain of proxies that is read; a header with more hops is ignored.
    private static let mostHops = 16

    private let trusted: [AddressBlock]

    package init(trusting trusted: [AddressBlock]) { self.trusted = trusted }

    /// Returns the address of the request's sender, or `nil` for a connection without one.
    func client(of request: Request, _ context: APIContext) -> NetworkAddress? {
        guard let peer = NetworkAddress(context.remoteAddress) else { return nil }
        return client(behind: peer, request.headers)
    }

    /// Returns the first address, from the right, that is not a trusted proxy's; in doubt, the peer's own address.
    ///
    /// A proxy usually writes one of the two headers, and passes the other as the client sent it. If both are present,
    /// they therefore have to name the same client.
    func client(behind peer: NetworkAddress, _ headers: HTTPFields) -> NetworkAddress {
        guard isTrusted(peer) else { return peer }
        let standard = headers.values(our: .forwarded)
        let common = headers.values(our: .xForwardedFor)
        switch (standard.isEmpty, common.isEmpty) {
        case (true, true): return peer
        case (false, true): return origin(of: ForwardedHops.forwarded(standard)) ?? peer
        case (true, false): return origin(of: ForwardedHops.xForwardedFor(common)) ?? peer
        case (false, false):
            let named = origin(of: ForwardedHops.forwarded(standard))
            return named == origin(of: ForwardedHops.xForwardedFor(common)) ? named ?? peer : peer
        }
    }

    private func origin(of hops: some Sequence<ForwardedHops.Hop>) -> NetworkAddress? {
        var farthest: NetworkAddress?
        for (index, hop) in hops.enumerated() {
            guard index < Self.mostHops, let hop else { return nil }
            guard isTrusted(hop) else { return hop }
            farthest = hop
        }
        // Every hop is a trusted proxy: the request comes from a proxy itself.
        return farthest
    }

    /// Returns whether the address belongs to a trusted proxy.
    func isTrusted(_ address: NetworkAddress) -> Bool { trusted.contains { $0.contains(address) } }
}
