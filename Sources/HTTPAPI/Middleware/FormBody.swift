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
            return String(buffer: try await BodyReader.read(request, upTo: limit))
        } catch is NIOTooManyBytesError { return nil }
    }

    static func field(_ name: String, in form: String) -> String? {
        pairs(form).first { decode($0.name) == name }.map { decode($0.value) }
    }

    /// The fields in their order, as they stand there; one without `=` has an empty value.
    ///
    /// Taken apart by bytes, as WHATWG URL §5.1 does: a mark that combines with a `&` does not hide it.
    static func pairs(_ form: String) -> [(name: Substring, value: Substring)] {
        form.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (Substring(parts[0]), parts.count == 2 ? Substring(parts[1]) : "")
        }
    }

    /// A plus is a space; what is no escape stands for itself.
    static func decode(_ text: Substring) -> String {
        var rest = text.utf8[...]
        guard rest.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else { return String(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rest.count)
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
                bytes.append(digits.count == 2 ? UInt8(digits[0] << 4 | digits[1]) : byte)
                if digits.count == 2 { rest = rest.dropFirst(2) }
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
