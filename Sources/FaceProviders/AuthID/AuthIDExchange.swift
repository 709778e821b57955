import Kernel
import Outbound

/// Sends a request and classifies the answer.
struct AuthIDExchange: Sendable {
    let http: OutboundHTTP
    /// This server's secrets, which a text for the log must not repeat.
    let ownSecrets: [Secret]

    /// Sends a request.
    ///
    /// `secrets`: further secrets that this request carries.
    ///
    /// - Throws: The error of a request that got no answer.
    func send(_ request: OutboundRequest, hiding secrets: [Secret]) async throws(OutboundError) -> AuthIDAnswer {
        let redaction = LogRedaction(ownSecrets + secrets)
        do throws(OutboundError) {
            let response = try await http.send(request)
            return AuthIDAnswer(status: response.status, body: response.body, redacting: redaction)
        } catch {
            switch error {
            case .tooLarge(let status, _) where (200..<300).contains(status): return .oversized
            case .tooLarge(let status, _): return AuthIDAnswer(status: status, body: [], redacting: redaction)
            case .connect, .timeout, .redirected, .transport, .cancelled: throw error
            }
        }
    }
}
