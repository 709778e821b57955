import HTTPTypes
import Hummingbird
import Kernel
import NIOCore

/// `/.well-known/security.txt`, served where the config names a contact.
struct SecurityTextAPI: Sendable {
    static let path = "/.well-known/security.txt"

    let content: SecurityText
    let publicURL: String
    let environment: Environment

    var routes: [Route] { Route.document(Self.path, access: .everybody, use: show) }

    private func show(_ request: Request, _ context: APIContext) async throws -> Response {
        let text = ByteBuffer(string: content.text(at: environment.now(), publicURL: publicURL))
        let tag = EntityTag(of: text.readableBytesView)
        var headers: HTTPFields = [.eTag: tag.text, .cacheControl: "public, max-age=3600"]
        if tag.isHeld(by: request) { return Response(status: .notModified, headers: headers) }
        // RFC 9116 §3.
        headers[.contentType] = "text/plain; charset=utf-8"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: text))
    }
}
