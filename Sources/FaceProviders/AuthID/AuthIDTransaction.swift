import Kernel

/// A transaction that authID has started.
struct AuthIDTransaction: Sendable {
    private static let longestID = 128
    private static let longestSecret = 2048

    let id: String
    let secret: Secret

    /// Returns `nil` unless the id and the secret are present and can be sent back.
    init?(parsing body: [UInt8]) { self.init(body, id: "TransactionId") }

    /// Reads an operation's id and secret in the same way.
    init?(parsingOperation body: [UInt8]) { self.init(body, id: "OperationId") }

    private init?(_ body: [UInt8], id name: String) {
        guard let document = AuthIDDocument(body), let id = document.text(name),
            let secret = document.text("OneTimeSecret"),
            // A dot segment would be removed from the path (RFC 3986 §5.2.4).
            PrintableToken.isOne(id, upTo: Self.longestID), id != ".", id != "..",
            PrintableToken.isOne(secret, upTo: Self.longestSecret)
        else { return nil }
        self.id = id
        self.secret = Secret(secret)
    }
}
