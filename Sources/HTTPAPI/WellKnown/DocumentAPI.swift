import COpenAPI
import HTTPTypes
import Hummingbird
import NIOCore

/// `/openapi.yaml`: the description of this API, which is docs/openapi.yaml at the time of the build.
struct DocumentAPI: Sendable {
    /// RFC 9512 §2.1.
    static let contentType = "application/yaml"

    private static let document: ByteBuffer = {
        var length = 0
        let start = vestibule_openapi_document(&length)
        return ByteBuffer(bytes: UnsafeBufferPointer(start: start, count: length))
    }()
    private static let tag = EntityTag(of: document.readableBytesView)

    var routes: [Route] { Route.document("/openapi.yaml", access: .everybody, use: show) }

    /// Returns the document, cached for five minutes like the key set; it changes only with the program.
    private func show(_ request: Request, _ context: APIContext) async throws -> Response {
        var headers: HTTPFields = [.eTag: Self.tag.text, .cacheControl: "public, max-age=300"]
        if Self.tag.isHeld(by: request) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = Self.contentType
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: Self.document))
    }
}
