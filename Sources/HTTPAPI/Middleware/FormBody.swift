import Hummingbird
import Kernel
import NIOCore

/// The body of a page's form: `application/x-www-form-urlencoded` (WHATWG URL §5).
enum FormBody {
    /// The default limit in bytes: more than a form with two digits needs.
    private static let limit = 1024
    /// The longest password, with every byte escaped.
    static let passwordLimit = 16_384
    /// A passkey's answer in JSON, with every byte escaped.
    static let passkeyLimit = 32_768

    /// Returns the first field of that name; `nil` if the body is not a form or is too long.
    static func field(_ name: String, of request: Request, upTo limit: Int = limit) async throws -> String? {
        try await text(of: request, upTo: limit).flatMap { field(name, in: $0) }
    }

    /// Returns the text of a form with several fields; `nil` if the body is not a form or is too long.
    static func text(of request: Request, upTo limit: Int) async throws -> String? {
        guard let type = request.headers[.contentType]?.prefix(while: { $0 != ";" }).lowercased(),
            type == "application/x-www-form-urlencoded"
        else { return nil }
        do {
            return String(buffer: try await BodyReader.read(request, upTo: limit))
        } catch is NIOTooManyBytesError { return nil }
    }

    static func field(_ name: String, in form: String) -> String? {
        QueryText.pairs(form).first { QueryText.decode($0.name) == name }.map { QueryText.decode($0.value) }
    }
}
