package import Kernel

/// This machine's own server, reached at its listening address.
///
/// Its certificate is accepted without verification, because it names the public host and not this address. No secret
/// is sent, and only this machine's own programs can listen there.
package struct OwnServer: Sendable, Equatable {
    package let host: String
    package let port: Int
    package let isTLS: Bool

    /// `host`: the listening host of the config; for all addresses, loopback is used.
    package init(listening host: String, port: Int, isTLS: Bool) {
        self.host =
            switch host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "::1"
            default: host
            }
        self.port = port
        self.isTLS = isTLS
    }

    /// The URL of a path that begins with a slash.
    package func url(_ path: String) -> String {
        "\(isTLS ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)\(path)"
    }

    package func get(
        _ path: String,
        within timeout: Duration,
        clock: any MonotonicClock
    ) async throws(OutboundError) -> OutboundResponse {
        var limits = OutboundLimits(connectTimeout: timeout)
        limits.verifiesCertificates = false
        let http = OutboundHTTP(limits, clock: clock)
        let request = OutboundRequest(.get, .url(url(path)), timeout: timeout, maxResponseBytes: 1 << 20)
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
