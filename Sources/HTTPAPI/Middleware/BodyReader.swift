import Hummingbird
import NIOCore

/// Reads the body of every request, bounded in bytes and, by ``BodyDeadline``, in time.
enum BodyReader {
    /// Returns the whole body.
    ///
    /// - Throws: `NIOTooManyBytesError` for a body of more than `limit` bytes. ``APIError`` `request_timeout` for a
    ///   body that arrives too late. ``APIError`` `incomplete_body` for one that ends too early or is badly framed (RFC
    ///   9112 §8). ``APIError`` `store_unavailable` while this server stops.
    static func read(_ request: Request, upTo limit: Int) async throws -> ByteBuffer {
        do {
            return try await request.body.collect(upTo: limit)
        } catch let tooMany as NIOTooManyBytesError {
            throw tooMany
        } catch is BodyDeadline.TimeoutError {
            throw APIError.requestTimeout
        } catch _ where Task.isCancelled {
            throw APIError.storeUnavailable
        } catch {
            throw APIError.incompleteBody
        }
    }

    /// Returns the whole body, and refuses a larger one: unread, if `Content-Length` names its size.
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
