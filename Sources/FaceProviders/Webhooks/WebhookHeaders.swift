import FoundationEssentials
import Kernel
import Operations

/// Reads the headers of signature schemes strictly and within bounds: anything else gives `nil` or an error.
struct WebhookHeaders: Sendable {
    /// The limit is above what a sender needs for a key change, because each signature costs a comparison.
    static let maximumSignatures = 8

    let delivery: WebhookDelivery

    /// Returns the only value of a header: of two values it would be unclear which of them was signed.
    func single(_ name: String) throws(WebhookError) -> String {
        let values = delivery.header(name)
        guard values.count == 1 else { throw .unsigned }
        return values[0]
    }

    /// Reads seconds since 1970, which may be only digits.
    static func time(_ text: some StringProtocol) throws(WebhookError) -> Instant {
        guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let seconds = Int64(text)
        else { throw .malformed }
        return Instant(seconds: seconds)
    }

    /// Returns the id of an event: visible ASCII without a full stop, which separates the signed parts.
    ///
    /// With a full stop in the id, the same bytes could be read as another id and time (Standard Webhooks, "Signature
    /// scheme").
    static func eventName(_ text: String) throws(WebhookError) -> String {
        guard (1...256).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ".") })
        else { throw .malformed }
        return text
    }

    /// Returns the `v1` signatures of `webhook-signature`: base64, separated by spaces.
    ///
    /// Other versions are ignored.
    ///
    /// Malformed `v1` signatures are ignored as long as there is a valid one. They count towards the limit.
    static func standardSignatures(_ text: String) throws(WebhookError) -> [[UInt8]] {
        let entries = text.split(separator: " ").filter { $0.hasPrefix("v1,") }
        guard entries.count <= maximumSignatures else { throw .malformed }
        let signatures = entries.compactMap { try? base64($0.dropFirst(3)) }
        guard !signatures.isEmpty else { throw .malformed }
        return signatures
    }

    /// Returns `t=<seconds>` and every `v1=` of a stamped header.
    ///
    /// Several sets may follow each other, separated by spaces.
    static func stamped(_ text: String) throws(WebhookError) -> (time: Substring, signatures: [[UInt8]]) {
        var time: Substring?
        var signatures: [[UInt8]] = []
        for entry in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
            if entry.hasPrefix("t=") {
                let value = entry.dropFirst(2)
                // All signatures must belong to the same time.
                guard time == nil || time == value else { throw .malformed }
                time = value
            } else if entry.hasPrefix("v1=") {
                signatures.append(try hex(entry.dropFirst(3)))
                guard signatures.count <= maximumSignatures else { throw .malformed }
            }
        }
        guard let time, !signatures.isEmpty else { throw .malformed }
        return (time, signatures)
    }

    /// Decodes 32 bytes from base64.
    static func base64(_ text: some StringProtocol) throws(WebhookError) -> [UInt8] {
        guard text.utf8.count == 44, let data = Data(base64Encoded: String(text)), data.count == 32 else {
            throw .malformed
        }
        return Array(data)
    }

    /// Decodes 32 bytes from hexadecimal in either case.
    static func hex(_ text: some StringProtocol) throws(WebhookError) -> [UInt8] {
        guard text.utf8.count == 64, let bytes = Hex.decode(text) else { throw .malformed }
        return bytes
    }
}

extension WebhookError: Error {}
