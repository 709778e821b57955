import Kernel

/// A transaction that authID has begun.
struct AuthIDTransaction: Sendable {
    private static let longestID = 128
    private static let longestSecret = 2048

    let id: String
    let secret: Secret

    /// Returns `nil` unless both are there and can be sent back.
    init?(parsing body: [UInt8]) { self.init(body, id: "TransactionId") }

    /// The same of an operation.
    init?(parsingOperation body: [UInt8]) { self.init(body, id: "OperationId") }

    private init?(_ body: [UInt8], id name: String) {
        guard let document = AuthIDDocument(body), let id = document.text(name),
            let secret = document.text("OneTimeSecret"),
            // A dot segment would be folded out of the path (RFC 3986 §5.2.4).
            PrintableToken.isOne(id, upTo: Self.longestID), id != ".", id != "..",
            PrintableToken.isOne(secret, upTo: Self.longestSecret)
        else { return nil }
        self.id = id
        self.secret = Secret(secret)
    }
}
