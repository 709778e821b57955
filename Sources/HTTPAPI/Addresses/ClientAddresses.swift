import HTTPTypes
import Hummingbird

/// The clients' addresses: the peer of the connection, or the client that the peer names where it is a trusted proxy.
///
/// A header that anybody can write would let its sender choose which address the limits count. So no proxy is trusted
/// unless the config says so.
package struct ClientAddresses: Sendable {
    /// The longest chain of proxies that is followed; a header with more is ignored.
    private static let mostHops = 16

    private let trusted: [AddressBlock]

    package init(trusting trusted: [AddressBlock]) { self.trusted = trusted }

    /// Returns the address of the request's sender, or `nil` for a connection without one.
    func client(of request: Request, _ context: APIContext) -> NetworkAddress? {
        guard let peer = NetworkAddress(context.remoteAddress) else { return nil }
        return client(behind: peer, request.headers)
    }

    /// Returns the first address, from the right, that is not a trusted proxy's; the peer's own whenever in doubt.
    ///
    /// A proxy usually writes one of the two headers, and passes the other as the client wrote it. So where both are
    /// present they have to name the same client.
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
        // All hops are trusted: the request is a proxy's own.
        return farthest
    }

    /// Returns whether the address is a trusted proxy's.
    func isTrusted(_ address: NetworkAddress) -> Bool { trusted.contains { $0.contains(address) } }
}
