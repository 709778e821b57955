import Crypto
import HTTPTypes
import Hummingbird
import Kernel

/// The name of a representation's bytes (RFC 9110 §8.8.3): a digest of them.
struct EntityTag: Sendable, Equatable {
    /// The digest in quotes, as the header has it.
    let text: String

    init(of bytes: some Sequence<UInt8>) {
        // 128 bits of SHA-256 suffice: only this server chooses the bytes that it serves.
        text = "\"\(Base64URL.encode(Array(SHA256.hash(data: Array(bytes)).prefix(16))))\""
    }

    /// Returns whether the client has these bytes already (RFC 9110 §13.1.2).
    ///
    /// The comparison is weak, as proxies that compress weaken tags.
    func isHeld(by request: Request) -> Bool {
        request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }.contains { field in
            let named = field.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return named == "*" || named == text || named == "W/" + text
        }
    }
}
