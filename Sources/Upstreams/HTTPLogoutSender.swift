package import Kernel
import OAuth
package import Outbound

/// Sends logout tokens to the endpoints of clients (OpenID Connect Back-Channel Logout 1.0 §2.5).
///
/// Each is sent once, with limits on time and size, without following redirects, and to allowed addresses only.
package struct HTTPLogoutSender: LogoutSending {
    private static let timeout = Duration.seconds(5)
    /// The most bytes of an answer, of which only the status is read.
    private static let longestAnswer = 16_384

    private let http: EndpointHTTP

    package init(_ http: EndpointHTTP) { self.http = http }

    package func send(_ token: Secret, to endpoint: String) async -> DeliveryOutcome<String> {
        let request = OutboundRequest(
            .post,
            .url(endpoint),
            headers: [OutboundHeader("Content-Type", "application/x-www-form-urlencoded")],
            // The compact form of a token has no character that a form escapes.
            body: Array("logout_token=\(token.expose())".utf8),
            timeout: Self.timeout,
            maxResponseBytes: Self.longestAnswer
        )
        do throws(OutboundError) {
            return Self.outcome(try await http.send(request).status)
        } catch {
            // The client has answered with this status, however long its body is.
            guard case .tooLarge(let status, _) = error else { return .failed(error.description) }
            return Self.outcome(status)
        }
    }

    /// Returns the outcome for a status: 200 is success and 400 a refusal of the token (§2.8).
    ///
    /// Some frameworks answer 204 where there is no body. Every other status may be a mistake of the moment.
    private static func outcome(_ status: Int) -> DeliveryOutcome<String> {
        switch status {
        case 200, 204: .delivered
        case 400: .refused("HTTP 400")
        case _: .failed("HTTP \(status)")
        }
    }
}
