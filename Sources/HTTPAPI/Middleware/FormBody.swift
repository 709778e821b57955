import Hummingbird
import NIOCore

/// The body of a page's form: `application/x-www-form-urlencoded` (WHATWG URL §5).
enum FormBody {
    /// More than a form of two digits takes.
    private static let limit = 1024
    /// The longest password, with every byte escaped.
    static let passwordLimit = 16_384
    /// A passkey's answer in JSON, with every byte escaped.
    static let passkeyLimit = 32_768

    /// The first field of that name; `nil` for a body that is no form, or too long to be one of ours.
    static func field(_ name: String, of request: Request, upTo limit: Int = limit) async throws -> String? {
        try await text(of: request, upTo: limit).flatMap { field(name, in: $0) }
    }

    /// A body of several fields; `nil` as above.
    static func text(of request: Request, upTo limit: Int) async throws -> String? {
        guard let type = request.headers[.contentType]?.prefix(while: { $0 != ";" }).lowercased(),
            type == "application/x-www-form-urlencoded"
        else { return nil }
        do {
            return String(buffer: try await request.body.collect(upTo: limit))
        } catch is NIOTooManyBytesError { return nil }
    }

    static func field(_ name: String, in form: String) -> String? {
        for pair in form.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard decode(parts[0]) == name else { continue }
            return parts.count == 2 ? decode(parts[1]) : ""
        }
        return nil
    }

    /// A plus is a space; what is no escape stands for itself.
    static func decode(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2)
                if digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) {
                    bytes.append(value)
                    rest = rest.dropFirst(2)
                } else {
                    bytes.append(byte)
                }
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
