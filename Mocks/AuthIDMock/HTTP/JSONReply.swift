import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore

/// An answer in JSON: status and finished body.
struct JSONReply: Sendable {
    var status: HTTPResponse.Status
    var body: ByteBuffer

    init(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws {
        self.status = status
        body = ByteBuffer(bytes: try Self.encoder.encode(value))
    }

    /// authID's form of an error.
    init(_ error: ProviderError) {
        status = HTTPResponse.Status(code: error.status)
        let body = try? Self.encoder.encode(ErrorBody(id: error.id, message: error.message))
        self.body = ByteBuffer(bytes: body ?? Data())
    }

    /// The JSON literal `null`.
    static let null = JSONReply(status: .ok, body: ByteBuffer(string: "null"))

    private init(status: HTTPResponse.Status, body: ByteBuffer) {
        self.status = status
        self.body = body
    }

    var response: Response {
        Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
    }

    var headers: HTTPFields {
        var headers: HTTPFields = [
            .contentType: "application/json; charset=utf-8",
            .contentLength: String(body.readableBytes),
            .cacheControl: "no-store",
        ]
        if status == .tooManyRequests { headers[.retryAfter] = "1" }
        if status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        return headers
    }

    private struct ErrorBody: Encodable {
        let id: String
        let message: String

        enum CodingKeys: String, CodingKey {
            case id = "ID"
            case message = "Message"
        }
    }

    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
}
