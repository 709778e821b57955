import HTTPTypes
import Hummingbird
import NIOCore

/// `/robots.txt`: asks search engines to leave every page out (RFC 9309 §2.2).
///
/// It names no path, because everybody can read it.
struct RobotsAPI: Sendable {
    private static let text = ByteBuffer(string: "User-agent: *\nDisallow: /\n")

    var routes: [Route] { Route.document("/robots.txt", access: .everybody, use: show) }

    private func show(_ request: Request, _ context: APIContext) async throws -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "public, max-age=86400"],
            body: ResponseBody(byteBuffer: Self.text)
        )
    }
}
