import HTTPTypes
import Hummingbird
import NIOCore

/// A finished answer, which a fault can still break.
struct UpstreamReply: Sendable {
    var status: HTTPResponse.Status = .ok
    var type = "application/json"
    var body = ""
    var location: String?

    static func json(_ body: String, _ status: HTTPResponse.Status = .ok) -> Self {
        Self(status: status, body: body)
    }

    static func xml(_ body: String) -> Self {
        Self(type: "application/xml; charset=utf-8", body: #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n" + body)
    }

    static func page(_ content: String, _ status: HTTPResponse.Status = .ok) -> Self {
        let body = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Upstream mock</title></head>
            <body><main>\(content)</main></body></html>

            """
        return Self(status: status, type: "text/html; charset=utf-8", body: body)
    }

    static func redirect(to location: String) -> Self { Self(status: .found, location: location) }

    var headers: HTTPFields {
        var headers: HTTPFields = [
            .contentType: type, .contentLength: String(body.utf8.count), .cacheControl: "no-store",
        ]
        if let location { headers[.location] = location }
        if status == .unauthorized { headers[.wwwAuthenticate] = #"Bearer error="invalid_token""# }
        return headers
    }

    var response: Response {
        Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
    }

    /// The full length announced and only half of it sent; then the connection closes.
    func truncated(on channel: any Channel) -> Response {
        let half = ByteBuffer(bytes: Array(body.utf8.prefix(body.utf8.count / 2)))
        let whole = body.utf8.count
        let broken = ResponseBody(contentLength: whole) { writer in
            try await writer.write(half)
            try await channel.close()
        }
        return Response(status: status, headers: headers, body: broken)
    }
}
