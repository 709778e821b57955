import Crypto
import Foundation

/// Signs webhooks about scans as the provider mock does (Standard Webhooks 1.0.0, symmetric).
struct WebhookSigner: Sendable {
    private let key: SymmetricKey

    /// `secret`: `whsec_` and base64; `nil` for another text.
    init?(secret: String) {
        guard secret.hasPrefix("whsec_"), let key = Data(base64Encoded: String(secret.dropFirst("whsec_".count))) else {
            return nil
        }
        self.key = SymmetricKey(data: key)
    }

    /// `time`: seconds since 1970.
    func sign(_ id: String, about scan: String, at time: Int) -> SignedWebhook {
        // The status is of no account: a webhook is a hint to ask, never a verdict.
        let body = #"{"type":"scan.decided","data":{"id":"\#(scan)","status":0}}"#
        let code = HMAC<SHA256>.authenticationCode(for: Data("\(id).\(time).\(body)".utf8), using: key)
        return SignedWebhook(id: id, time: time, signature: "v1,\(Data(code).base64EncodedString())", body: body)
    }
}

/// A webhook as it is sent.
struct SignedWebhook: Sendable {
    let id: String
    let time: Int
    let signature: String
    let body: String
}
