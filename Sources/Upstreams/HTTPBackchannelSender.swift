package import Kernel
package import OAuth
package import Outbound

/// Sends pings and pushes to the endpoints of clients (CIBA Core §10.2, §10.3.1).
///
/// Each is sent once, with limits on time and size, without following redirects, and to allowed addresses only.
package struct HTTPBackchannelSender: BackchannelSending {
    private static let timeout = Duration.seconds(10)
    /// The most bytes of an answer, of which only the status is read.
    private static let longestAnswer = 16_384

    private let http: EndpointHTTP

    package init(_ http: EndpointHTTP) { self.http = http }

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
            // The client has answered with this status, however long its body is.
            case .tooLarge(let status, _): return Self.outcome(status)
            case .connect, .timeout, .transport, .cancelled: return .failed(error.description)
            }
        }
    }

    /// Returns the outcome for a status.
    ///
    /// 408 and 429 only ask for a later attempt (RFC 9110 §15.5.9, RFC 6585 §4), because a client that gets pushes
    /// cannot fetch its tokens. Every other 4xx is a refusal: the client does not know the request or the token.
    private static func outcome(_ status: Int) -> DeliveryOutcome<String> {
        switch status {
        case 200..<300: .delivered
        case 408, 429: .failed("HTTP \(status)")
        case 400..<500: .refused("HTTP \(status)")
        case _: .failed("HTTP \(status)")
        }
    }
}
