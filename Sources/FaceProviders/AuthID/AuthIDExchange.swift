import Kernel
import Outbound

/// Sends a request and sorts its answer.
struct AuthIDExchange: Sendable {
    let http: OutboundHTTP
    /// The secrets that a text for the log must not repeat.
    let ownSecrets: [Secret]

    /// Throws what left no answer at all; `secrets` are further ones that this request carries.
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
