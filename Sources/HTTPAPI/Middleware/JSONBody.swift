import FoundationEssentials
import HTTPTypes
import Hummingbird
import Kernel
import NIOCore

/// Reads JSON bodies of limited size; its errors name the invalid member.
struct JSONBody: Sendable {
    /// The largest body in bytes.
    let limit: Int

    /// Returns the decoded body.
    func decode<Value: Decodable>(_ type: Value.Type, from request: Request) async throws -> Value {
        let bytes = try await collect(request)
        guard !bytes.isEmpty else { throw APIError.malformedJSON }
        return try Self.decode(type, bytes)
    }

    /// Returns the body as `plainly` reads it from the strict reader's value, and decodes it if that returns `nil`.
    func decode<Value: Decodable>(
        from request: Request,
        plainly: (JSONValue) -> Value?
    ) async throws -> Value {
        let bytes = try await collect(request)
        guard !bytes.isEmpty else { throw APIError.malformedJSON }
        let value: JSONValue
        do throws(MalformedJSONError) { value = try JSONReader.read(bytes) } catch { throw APIError.malformedJSON }
        return try plainly(value) ?? Self.decode(Value.self, checked: bytes)
    }

    /// Returns the decoded body, or `nil` for an empty one: existing clients send none under a JSON content type.
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, from request: Request) async throws -> Value? {
        let bytes = try await collect(request)
        return bytes.isEmpty ? nil : try Self.decode(type, bytes)
    }

    /// Returns the body as a value of the strict reader, for decisions that depend on it.
    func value(from request: Request) async throws -> JSONValue {
        let bytes = try await collect(request)
        do { return try JSONReader.read(bytes) } catch { throw APIError.malformedJSON }
    }

    /// Returns the body's bytes, for a route that decides by their content how to decode them.
    func bytes(from request: Request) async throws -> [UInt8] {
        let bytes = try await collect(request)
        guard !bytes.isEmpty else { throw APIError.malformedJSON }
        return bytes
    }

    private func collect(_ request: Request) async throws -> [UInt8] {
        let buffer = try await BodyReader.whole(request, upTo: limit)
        guard buffer.readableBytes == 0 || Self.isJSON(request.headers[.contentType]) else {
            throw APIError.unsupportedMediaType
        }
        return Array(buffer.readableBytesView)
    }

    private static func isJSON(_ contentType: String?) -> Bool {
        guard let contentType else { return false }
        let head = contentType.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
        let type = Substring(head).lowercased()
        return type == "application/json" || type.hasSuffix("+json")
    }

    /// Decodes the bytes.
    ///
    /// A member that occurs twice is refused (RFC 8259 §4), because a proxy may have read the other value.
    /// `JSONDecoder` takes one of the two, so the strict reader runs first. Unknown members are allowed.
    static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
        do throws(MalformedJSONError) { _ = try JSONReader.read(bytes) } catch { throw APIError.malformedJSON }
        return try decode(type, checked: bytes)
    }

    /// Decodes bytes that ``JSONReader`` has read before.
    static func decode<Value: Decodable>(_ type: Value.Type, checked bytes: [UInt8]) throws -> Value {
        do { return try JSONDecoder().decode(type, from: Data(bytes)) } catch DecodingError.keyNotFound(let key, _) {
            throw APIError.invalidRequest("“\(Self.printable(key.stringValue))” is missing.")
        } catch DecodingError.typeMismatch(_, let context) {
            // For an element of a list the message names the list: an index tells the client's developer nothing.
            guard let key = context.codingPath.last(where: { $0.intValue == nil }) else { throw APIError.malformedJSON }
            throw APIError.invalidRequest("“\(Self.printable(key.stringValue))” has the wrong type.")
        } catch DecodingError.valueNotFound(_, let context) {
            guard let key = context.codingPath.last(where: { $0.intValue == nil }) else { throw APIError.malformedJSON }
            throw APIError.invalidRequest("“\(Self.printable(key.stringValue))” must not be null.")
        } catch { throw APIError.malformedJSON }
    }

    private static func printable(_ key: String) -> String { String(key.prefix(40)) }
}
