import Hummingbird
import NIOCore

/// The one way in which the body of a request is read: bounded in bytes, and, by ``BodyDeadline``, in time.
enum BodyReader {
    /// All of the body.
    ///
    /// - Throws: `NIOTooManyBytesError` for one of more than `limit` bytes; ``APIError`` `request_timeout` for one that
    ///   did not come in time, `incomplete_body` for one that ended too early, or is not framed as it should be
    ///   (RFC 9112 §8), and `store_unavailable` where this server stops.
    static func read(_ request: Request, upTo limit: Int) async throws -> ByteBuffer {
        do {
            return try await request.body.collect(upTo: limit)
        } catch let tooMany as NIOTooManyBytesError {
            throw tooMany
        } catch is BodyDeadline.Passed {
            throw APIError.requestTimeout
        } catch _ where Task.isCancelled {
            throw APIError.storeUnavailable
        } catch {
            throw APIError.incompleteBody
        }
    }

    /// The same, where a body of more bytes is refused: before any is read, if it says so itself.
    ///
    /// - Throws: ``APIError``.
    static func whole(_ request: Request, upTo limit: Int) async throws -> ByteBuffer {
        if let length = request.headers[.contentLength].flatMap(Int.init), length > limit {
            throw APIError.payloadTooLarge(limit: limit)
        }
        do { return try await read(request, upTo: limit) } catch is NIOTooManyBytesError {
            throw APIError.payloadTooLarge(limit: limit)
        }
    }
}
