import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore

/// Answers in JSON.
enum JSONReply {
    static let contentType = "application/json"

    /// The headers with the security headers, built once: an answer to a poll only copies them.
    private static let headers = HTTPFields(
        [HTTPField(name: .contentType, value: contentType)] + SecurityHeaders.fields
    )

    /// Returns the answer with the value in JSON.
    ///
    /// An encoding error of this server's own types is a bug, and answers 500.
    static func encode(_ value: some Encodable, status: HTTPResponse.Status = .ok) -> Response {
        guard let json = json(value) else { return Response(status: .internalServerError) }
        return bytes(json, status: status)
    }

    static func json(_ value: some Encodable) -> ByteBuffer? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { ByteBuffer(bytes: $0) }
    }

    /// Returns the answer with a body that is JSON already.
    static func bytes(_ buffer: ByteBuffer, status: HTTPResponse.Status = .ok) -> Response {
        var headers = Self.headers
        headers.append(HTTPField(name: .contentLength, value: String(buffer.readableBytes)))
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: buffer))
    }
}

/// The answer to a change that has no result of its own.
struct ChangedResponse: Codable, Sendable, Equatable {
    var message: String
    /// Always true.
    var success = true
}
