import FoundationEssentials
import Kernel
import Operations

/// Reads the headers that signature schemes have: strict, bounded, and `nil` or a refusal for anything else.
struct WebhookHeaders: Sendable {
    /// More signatures than a sender with a key change sends; each costs a comparison.
    static let maximumSignatures = 8

    let delivery: WebhookDelivery

    /// Returns the one value of a header.
    ///
    /// Two are refused: which of them was signed would be a matter of taste.
    func single(_ name: String) throws(WebhookError) -> String {
        let values = delivery.header(name)
        guard values.count == 1 else { throw .unsigned }
        return values[0]
    }

    /// Seconds since 1970, in digits alone.
    static func time(_ text: some StringProtocol) throws(WebhookError) -> Instant {
        guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let seconds = Int64(text)
        else { throw .malformed }
        return Instant(seconds: seconds)
    }

    /// Returns the name of an event: visible ASCII without a full stop, which parts what is signed.
    ///
    /// With one in it, the same bytes could be read as another id and another time (Standard Webhooks, "Signature scheme").
    static func eventName(_ text: String) throws(WebhookError) -> String {
        guard (1...256).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ".") })
        else { throw .malformed }
        return text
    }

    /// Returns the `v1` signatures of `webhook-signature`, in base64 with a space between; other versions are passed
    /// over.
    ///
    /// So is what can be no signature, as long as there is another; it counts towards the most there may be.
    static func standardSignatures(_ text: String) throws(WebhookError) -> [[UInt8]] {
        let entries = text.split(separator: " ").filter { $0.hasPrefix("v1,") }
        guard entries.count <= maximumSignatures else { throw .malformed }
        let signatures = entries.compactMap { try? base64($0.dropFirst(3)) }
        guard !signatures.isEmpty else { throw .malformed }
        return signatures
    }

    /// `t=<seconds>` and every `v1=` of a stamped header; sets of them may follow one another with a space between.
    static func stamped(_ text: String) throws(WebhookError) -> (time: Substring, signatures: [[UInt8]]) {
        var time: Substring?
        var signatures: [[UInt8]] = []
        for entry in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
            if entry.hasPrefix("t=") {
                let value = entry.dropFirst(2)
                // Only one time can have been signed together with each signature.
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

    /// 32 bytes in base64.
    static func base64(_ text: some StringProtocol) throws(WebhookError) -> [UInt8] {
        guard text.utf8.count == 44, let data = Data(base64Encoded: String(text)), data.count == 32 else {
            throw .malformed
        }
        return Array(data)
    }

    /// 32 bytes in hexadecimal of either case.
    static func hex(_ text: some StringProtocol) throws(WebhookError) -> [UInt8] {
        guard text.utf8.count == 64, let bytes = Hex.decode(text) else { throw .malformed }
        return bytes
    }
}

extension WebhookError: Error {}
