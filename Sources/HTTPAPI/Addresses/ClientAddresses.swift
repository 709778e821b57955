import HTTPTypes
import Hummingbird

/// Where requests come from: the other end of the connection, or, where that is a trusted proxy, whom it names.
///
/// Believing a header that anybody can write would let him choose whom the limits count, so that nobody is trusted
/// unless the config says so.
package struct ClientAddresses: Sendable {
    /// More proxies than that stand in no row; who sends such a header is not followed.
    private static let mostHops = 16

    private let trusted: [AddressBlock]

    package init(trusting trusted: [AddressBlock]) { self.trusted = trusted }

    /// The address of whoever sent the request, or `nil` for a connection without one.
    func client(of request: Request, _ context: APIContext) -> NetworkAddress? {
        guard let peer = NetworkAddress(context.remoteAddress) else { return nil }
        return client(behind: peer, request.headers)
    }

    /// The first address, from the right, that is no trusted proxy's; the peer's own whenever there is any doubt.
    ///
    /// A proxy writes one of the two headers as a rule, and lets the other one through as the client wrote it. So
    /// where both are there they have to name the same client.
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
        // Trusted all the way: a request of a proxy's own.
        return farthest
    }

    /// Whether it is a proxy's that is believed.
    func isTrusted(_ address: NetworkAddress) -> Bool { trusted.contains { $0.contains(address) } }
}
