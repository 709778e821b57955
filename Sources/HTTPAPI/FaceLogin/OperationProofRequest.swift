/// The body of a poll, an acknowledgement or a cancellation by POST.
struct OperationProofRequest: Codable, Sendable, Equatable {
    /// The verifier of the `codeChallenge` (RFC 7636 §4.5), which the header `X-Code-Verifier` may carry instead.
    var codeVerifier: String?
    /// The code that the browser presented at the `returnUrl`, which the header `X-Return-Code` may carry instead.
    var returnCode: String?
}
