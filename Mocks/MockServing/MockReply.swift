import FoundationEssentials
package import HTTPTypes
package import Hummingbird
package import NIOCore

/// A finished answer, which a fault can still break.
package struct MockReply: Sendable {
    package var status: HTTPResponse.Status
    package var type: String
    package var body: String
    package var location: String?
    /// The policy of a page, where it has one.
    package var contentSecurityPolicy: String?

    package init(
        status: HTTPResponse.Status = .ok,
        type: String = "application/json",
        body: String = "",
        location: String? = nil,
        contentSecurityPolicy: String? = nil
    ) {
        self.status = status
        self.type = type
        self.body = body
        self.location = location
        self.contentSecurityPolicy = contentSecurityPolicy
    }

    package static func json(_ body: String, _ status: HTTPResponse.Status = .ok) -> Self {
        Self(status: status, body: body)
    }

    package static func json(encoding value: some Encodable) throws -> Self {
        .json(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
    }

    /// `text` is a code, or says in words what is wrong.
    package static func error(_ text: String, _ status: HTTPResponse.Status = .badRequest) -> Self {
        .json(#"{"error":"\#(text)"}"#, status)
    }

    package static func xml(_ body: String) -> Self {
        Self(type: "application/xml; charset=utf-8", body: #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n" + body)
    }

    /// A whole document.
    package static func html(_ document: String, _ status: HTTPResponse.Status = .ok) -> Self {
        Self(status: status, type: "text/html; charset=utf-8", body: document)
    }

    package static func redirect(to location: String) -> Self { Self(status: .found, location: location) }

    private var headers: HTTPFields {
        var headers: HTTPFields = [
            .contentType: type, .contentLength: String(body.utf8.count), .cacheControl: "no-store",
        ]
        if let location { headers[.location] = location }
        if let contentSecurityPolicy { headers[.contentSecurityPolicy] = contentSecurityPolicy }
        if status == .unauthorized { headers[.wwwAuthenticate] = #"Bearer error="invalid_token""# }
        return headers
    }

    package var response: Response {
        Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
    }

    /// The full length announced and only half of it sent; then the connection closes.
    package func truncated(on channel: any Channel) -> Response {
        let half = ByteBuffer(bytes: Array(body.utf8.prefix(body.utf8.count / 2)))
        let whole = body.utf8.count
        let broken = ResponseBody(contentLength: whole) { writer in
            try await writer.write(half)
            try await channel.close()
        }
        return Response(status: status, headers: headers, body: broken)
    }
}
