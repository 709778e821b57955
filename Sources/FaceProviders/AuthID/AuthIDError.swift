/// An answer that is not 2xx, fit for the log: the status and authID's own `{ID, Message}`.
///
/// The text is cut to a bounded length, without control characters and without this server's secrets.
struct AuthIDError: Sendable, Equatable, CustomStringConvertible {
    private static let longestID = 64
    private static let longestMessage = 240

    let status: Int
    let id: String?
    let message: String?

    init(status: Int, body: [UInt8], redacting redaction: LogRedaction) {
        let error = AuthIDDocument(body)
        self.status = status
        id = redaction.logText(error?.text("ID"), limit: Self.longestID)
        message = redaction.logText(error?.text("Message"), limit: Self.longestMessage)
    }

    var description: String {
        var text = "HTTP \(status)"
        if let id { text += " \(id)" }
        if let message { text += ": \(message)" }
        return text
    }
}
