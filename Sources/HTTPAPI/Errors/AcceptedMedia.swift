import HTTPTypes
import Hummingbird
import Kernel

/// The media types that a request asks for (RFC 9110 §12.5.1).
struct AcceptedMedia: Sendable {
    /// The most media ranges that are read; further ones are ignored.
    static let limit = 32

    private let ranges: [Range]

    init(_ request: Request) { self.init(request.headers[values: .accept]) }

    /// - Parameter fields: The values of the header's lines.
    init(_ fields: [String]) {
        ranges = fields.flatMap { $0.split(separator: ",") }.prefix(Self.limit).compactMap { Range($0) }
    }

    /// Whether HTML is wanted more than JSON.
    ///
    /// Browsers name `text/html` when they open an address. Programs that name nothing, or everything alike, get JSON.
    var prefersHTML: Bool { weight(of: "text", "html") > weight(of: "application", "json") }

    /// Returns the weight of a type in thousandths; 0 for one that is not acceptable.
    ///
    /// The most specific range counts, and of equally specific ones the one with the largest weight.
    func weight(of type: String, _ subtype: String) -> Int {
        let matching = ranges.filter { $0.matches(type, subtype) }
        return matching.max { ($0.specificity, $0.weight) < ($1.specificity, $1.weight) }?.weight ?? 0
    }

    /// One range like `text/*;q=0.8`: its type, its subtype, and its weight in thousandths.
    private struct Range: Sendable {
        let type: String
        let subtype: String
        let weight: Int

        /// Returns `nil` for a malformed range, and for one with parameters besides the weight: no answer has them.
        init?(_ text: Substring) {
            let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { $0.trimmedOfBlanks }
            let names = parts[0].lowercased().split(separator: "/", omittingEmptySubsequences: false)
            guard names.count == 2, names.allSatisfy({ Self.isToken($0) }), names[0] != "*" || names[1] == "*" else {
                return nil
            }
            (type, subtype) = (String(names[0]), String(names[1]))
            var weight = 1000
            for part in parts.dropFirst() where !part.isEmpty {
                guard part.lowercased().hasPrefix("q="), let written = Self.weight(part.dropFirst(2)) else {
                    return nil
                }
                weight = written
            }
            self.weight = weight
        }

        var specificity: Int { type == "*" ? 0 : subtype == "*" ? 1 : 2 }

        func matches(_ type: String, _ subtype: String) -> Bool {
            self.type == "*" || self.type == type && (self.subtype == "*" || self.subtype == subtype)
        }

        /// Returns whether the text is a token (RFC 9110 §5.6.2), of at most 127 characters (RFC 6838 §4.2).
        private static func isToken(_ text: Substring) -> Bool {
            (1...127).contains(text.utf8.count)
                && text.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                    }
                }
        }

        /// Returns the weight in thousandths, or `nil` unless it has the form of RFC 9110 §12.4.2: at most three
        /// decimals.
        private static func weight(_ text: some StringProtocol) -> Int? {
            let bytes = Array(text.utf8)
            guard let first = bytes.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1"), bytes.count <= 5,
                bytes.count == 1 || bytes[1] == UInt8(ascii: ".")
            else { return nil }
            var thousandths = first == UInt8(ascii: "1") ? 1000 : 0
            for (place, byte) in zip([100, 10, 1], bytes.dropFirst(2)) {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                thousandths += place * Int(byte - UInt8(ascii: "0"))
            }
            return thousandths <= 1000 ? thousandths : nil
        }
    }
}
