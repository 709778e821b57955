import Hummingbird
import NIOCore

/// The one way to read the body of a request: bounded in bytes and, by ``BodyDeadline``, in time.
enum BodyReader {
    /// Returns the whole body.
    ///
    /// - Throws: `NIOTooManyBytesError` for a body of more than `limit` bytes. ``APIError`` `request_timeout` for one
    ///   that did
    ///   not arrive in time, and `incomplete_body` for one that ended too early or is badly framed (RFC 9112 §8).
    ///   ``APIError`` `store_unavailable` where this server stops.
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

    /// Returns the whole body, and refuses a larger one: before reading any of it, if its header names the length.
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
