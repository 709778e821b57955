import FoundationEssentials
import Kernel

/// A transaction that authID has begun.
struct AuthIDTransaction: Sendable {
    private static let longestID = 128
    private static let longestSecret = 2048

    let id: String
    let secret: Secret

    /// `nil` unless both are there and can be sent back.
    init?(parsing body: [UInt8]) {
        guard
            let wire = try? JSONDecoder().decode(Body.self, from: Data(body)),
            // A dot segment would be folded out of the path (RFC 3986 §5.2.4).
            PrintableToken.isOne(wire.id, upTo: Self.longestID), wire.id != ".", wire.id != "..",
            PrintableToken.isOne(wire.secret, upTo: Self.longestSecret)
        else { return nil }
        id = wire.id
        secret = Secret(wire.secret)
    }

    /// The same of an operation.
    init?(parsingOperation body: [UInt8]) {
        guard
            let wire = try? JSONDecoder().decode(OperationBody.self, from: Data(body)),
            PrintableToken.isOne(wire.id, upTo: Self.longestID), wire.id != ".", wire.id != "..",
            PrintableToken.isOne(wire.secret, upTo: Self.longestSecret)
        else { return nil }
        id = wire.id
        secret = Secret(wire.secret)
    }

    private struct OperationBody: Decodable {
        let id: String
        let secret: String

        enum CodingKeys: String, CodingKey {
            case id = "OperationId"
            case secret = "OneTimeSecret"
        }
    }

    private struct Body: Decodable {
        let id: String
        let secret: String

        enum CodingKeys: String, CodingKey {
            case id = "TransactionId"
            case secret = "OneTimeSecret"
        }
    }
}
