import HTTPTypes
import Hummingbird
import NIOCore

/// The responses of a console, all with the same headers.
enum ConsoleResponse {
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; \
        frame-ancestors 'none'; base-uri 'none'
        """

    /// The headers of every response (OWASP Secure Headers).
    private static let fields: [(String, String)] = [
        ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"), ("X-Frame-Options", "DENY"),
        ("Content-Security-Policy", policy), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Referrer-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
    ]

    /// Returns a response with text of a type.
    static func text(_ text: String, type: String, status: HTTPResponse.Status = .ok) -> Response {
        var headers: HTTPFields = [.contentType: "\(type); charset=utf-8"]
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// Returns a response with a PNG image.
    static func image(_ bytes: [UInt8]) -> Response {
        var response = text("", type: "image/png")
        response.headers[.contentType] = "image/png"
        response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        response.headers[.contentLength] = String(bytes.count)
        return response
    }

    static func page(_ markup: String) -> Response { text(markup, type: "text/html") }

    /// The answer to every request that is not of the session, whatever it asks for.
    static var nothing: Response { text("Not found\n", type: "text/plain", status: .notFound) }

    /// Returns a redirect after a press, so that loading the page again repeats nothing.
    static func seeOther(_ path: String) -> Response {
        var response = text("", type: "text/plain", status: .seeOther)
        response.headers[.location] = path
        return response
    }
}
