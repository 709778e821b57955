import HTTPTypes
import Hummingbird
import NIOCore

/// Answers that no well-behaved server gives.
enum BrokenAnswer {
    /// 200 that calls itself JSON and is a page of a proxy.
    static let garbage = Response(
        status: .ok,
        headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: "<html><body>Service temporarily moved</body></html>\n"))
    )

    /// The reply with its full length announced and only the first half sent; then the connection closes.
    static func truncated(_ reply: JSONReply, on channel: any Channel) -> Response {
        let half = reply.body.getSlice(at: reply.body.readerIndex, length: reply.body.readableBytes / 2)
        let body = ResponseBody(contentLength: reply.body.readableBytes) { writer in
            try await writer.write(half ?? ByteBuffer())
            try await channel.close()
        }
        return Response(status: reply.status, headers: reply.headers, body: body)
    }

    /// Closes the connection.
    ///
    /// The response that is returned can't be written any more; the server needs one.
    static func dropped(_ channel: any Channel) async -> Response {
        try? await channel.close()
        return Response(status: .ok, headers: [.connection: "close"])
    }
}
