package import Kernel
package import OAuth
package import Outbound

/// Sends pings and pushes to the clients' own endpoints: each once, bounded in time and size, without following
/// redirects (CIBA Core §10.2, §10.3.1).
package struct HTTPBackchannelSender: BackchannelSending {
    private static let timeout = Duration.seconds(10)
    /// The answer is bounded, since only its status is read.
    private static let longestAnswer = 16_384

    private let http: OutboundHTTP

    package init(_ http: OutboundHTTP) { self.http = http }

    package func send(_ notice: BackchannelNotice) async -> DeliveryOutcome<String> {
        let request = OutboundRequest(
            .post,
            .url(notice.endpoint),
            headers: [
                OutboundHeader("Content-Type", "application/json"),
                OutboundHeader("Authorization", "Bearer \(notice.token.expose())"),
            ],
            body: notice.body,
            timeout: Self.timeout,
            maxResponseBytes: Self.longestAnswer
        )
        do throws(OutboundError) {
            return Self.outcome(try await http.send(request).status)
        } catch {
            switch error {
            case .redirected: return .refused(error.description)
            // It was taken, whatever else it says.
            case .tooLarge(let status, _): return Self.outcome(status)
            case .connect, .timeout, .transport, .cancelled: return .failed(error.description)
            }
        }
    }

    /// 4xx is the client's own refusal: it knows no such request, or no such token.
    ///
    /// 408 and 429 only ask for a later try (RFC 9110 §15.5.9, RFC 6585 §4), and a client with pushed tokens can't
    /// fetch them.
    private static func outcome(_ status: Int) -> DeliveryOutcome<String> {
        switch status {
        case 200..<300: .delivered
        case 408, 429: .failed("HTTP \(status)")
        case 400..<500: .refused("HTTP \(status)")
        case _: .failed("HTTP \(status)")
        }
    }
}
