package import Kernel

/// The client for requests to endpoints that other parties have chosen, such as a client's logout endpoint.
///
/// The addresses of the endpoint are looked up once for each request, and checked. The connection goes to a checked
/// address and nowhere else, whatever the name means a moment later. The certificate must still be that of the name.
/// Each request has connections of its own, so that none outlives the check.
package struct EndpointHTTP: Sendable {
    /// Returns the addresses of a name, an empty list for an unknown one, or `nil` without an answer in time.
    package typealias Lookup = @Sendable (_ host: String, _ limit: Duration) async -> [String]?

    /// The most addresses of a name to which a connection is tried.
    private static let mostAddresses = 4

    private let limits: OutboundLimits
    private let rule: AddressRule
    private let clock: any MonotonicClock
    private let lookup: Lookup

    package init(
        _ limits: OutboundLimits = OutboundLimits(),
        rule: AddressRule,
        clock: any MonotonicClock,
        lookup: @escaping Lookup = { await HostLookup.addresses(of: $0, within: $1) }
    ) {
        self.limits = limits
        self.rule = rule
        self.clock = clock
        self.lookup = lookup
    }

    /// Sends a request once, to the first checked address that accepts a connection, and reads the whole response.
    ///
    /// - Throws: ``OutboundError``: as ``OutboundHTTP/send(_:)``; ``OutboundError/connect(cause:)`` if no address may be
    ///   connected to.
    package func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
        guard case .url(let url) = request.target, let endpoint = EndpointURL(url) else {
            throw .connect(cause: "the endpoint's URL can be read in more than one way")
        }
        let deadline = clock.now + request.timeout
        let addresses = try await allowedAddresses(of: endpoint.host, within: request.timeout)
        var latest = OutboundError.timeout
        for address in addresses.prefix(Self.mostAddresses) {
            let left = deadline - clock.now
            guard left > .zero else { break }
            do throws(OutboundError) {
                return try await send(request, within: left, to: address, of: endpoint)
            } catch {
                // Only a request that was not sent may be sent to another address.
                guard case .connect = error else { throw error }
                latest = error
            }
        }
        throw latest
    }

    private func allowedAddresses(
        of host: String,
        within limit: Duration
    ) async throws(OutboundError) -> [NetworkAddress] {
        let found: [String]
        if NetworkAddress(host) != nil {
            found = [host]
        } else {
            guard let answer = await lookup(host, limit) else {
                throw .connect(cause: "\(host) can't be looked up in time")
            }
            guard !answer.isEmpty else { throw .connect(cause: "the host's name is unknown (\(host))") }
            found = answer
        }
        let allowed = found.compactMap { NetworkAddress($0) }.filter(rule.allows)
        guard !allowed.isEmpty else {
            throw .connect(
                cause:
                    "\(host) has no public address (\(found[0])): oauth.privateAddresses lists the others that are allowed"
            )
        }
        return allowed
    }

    private func send(
        _ request: OutboundRequest,
        within left: Duration,
        to address: NetworkAddress,
        of endpoint: EndpointURL
    ) async throws(OutboundError) -> OutboundResponse {
        var limits = limits
        limits.connectTimeout = min(limits.connectTimeout, left)
        limits.pinned = PinnedAddress(host: endpoint.host, address: address, rule: rule)
        var request = request
        request.timeout = left
        let http = OutboundHTTP(limits, clock: clock)
        do throws(OutboundError) {
            let response = try await http.send(request)
            await http.shutdown()
            return response
        } catch {
            await http.shutdown()
            throw error
        }
    }
}
