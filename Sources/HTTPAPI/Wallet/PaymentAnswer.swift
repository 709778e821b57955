import Kernel

/// The proof that a request presents for a payment, and the details that the app showed to the person.
struct PaymentAnswer: Sendable {
    let asked: ConfirmPaymentRequest
    /// The response to a passkey's options, from a browser or an app.
    private let passkey: JSONValue?

    /// One kind of proof.
    enum Presented: Sendable {
        case signature(String, challenge: String)
        case passkey(JSONValue)
        case approval(String)
    }

    /// Reads the body strictly, because a payment depends on it: a duplicate member is an error.
    init(_ bytes: [UInt8]) throws {
        guard case .object(let members)? = try? JSONReader.read(bytes) else { throw APIError.malformedJSON }
        asked = try JSONBody.decode(ConfirmPaymentRequest.self, checked: bytes)
        passkey = members["passkey"].flatMap { $0.isNull ? nil : $0 }
    }

    var hasProof: Bool { asked.signature != nil || passkey != nil || asked.approvalToken != nil }

    func presented() throws(APIError) -> Presented {
        switch (asked.signature, passkey, asked.approvalToken) {
        case (let signature?, nil, nil):
            guard let challenge = asked.challenge else { throw .invalidRequest("“challenge” is missing.") }
            return .signature(signature, challenge: challenge)
        case (nil, let passkey?, nil): return .passkey(passkey)
        case (nil, nil, let token?): return .approval(token)
        default:
            throw .invalidRequest("Send one proof: “signature” with “challenge”, “passkey”, or “approvalToken”.")
        }
    }
}
