import Crypto
import HTTPTypes
import Hummingbird
import Kernel

/// An entity tag (RFC 9110 §8.8.3): a digest of the representation's bytes.
struct EntityTag: Sendable, Equatable {
    /// The digest in quotes, as in the header `ETag`.
    let text: String

    init(of bytes: some Sequence<UInt8>) {
        // 128 bits of SHA-256 suffice: only this server chooses the bytes that it serves.
        text = "\"\(Base64URL.encode(Array(SHA256.hash(data: Array(bytes)).prefix(16))))\""
    }

    /// Returns whether the client already has these bytes (RFC 9110 §13.1.2).
    ///
    /// The comparison is weak, because proxies that compress answers weaken their tags.
    func isHeld(by request: Request) -> Bool {
        request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }.contains { field in
            let named = field.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return named == "*" || named == text || named == "W/" + text
        }
    }
}
