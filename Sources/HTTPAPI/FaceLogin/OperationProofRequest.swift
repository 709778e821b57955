/// The body of a poll, an acknowledgement or a cancellation by POST.
struct OperationProofRequest: Codable, Sendable, Equatable {
    /// The verifier behind the `codeChallenge` (RFC 7636 §4.5); the header `X-Code-Verifier` carries it as well.
    var codeVerifier: String?
    /// The code that the browser presented at the `returnUrl`; the header `X-Return-Code` carries it as well.
    var returnCode: String?
}
