import FoundationEssentials
import HTTPTypes
package import Hummingbird
import NIOCore

extension Request {
    /// Reads a form body of at most 64 KiB.
    package func form() async throws -> MockForm { MockForm(String(buffer: try await body.collect(upTo: 65_536))) }

    /// Reads a JSON body of at most 64 KiB; `nil` for one that is of another type.
    package func json<Value: Decodable>(_ type: Value.Type) async throws -> Value? {
        let body = try await body.collect(upTo: 65_536)
        return try? JSONDecoder().decode(type, from: Data(body.readableBytesView))
    }

    /// The token of `Authorization` (RFC 6750 §2.1); empty without one.
    package var bearer: String {
        let header = headers[.authorization] ?? ""
        return header.hasPrefix("Bearer ") ? String(header.dropFirst(7)) : ""
    }
}
