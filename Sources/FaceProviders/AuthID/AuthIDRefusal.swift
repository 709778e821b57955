import FoundationEssentials

/// An answer that is not 2xx, as the log may show it: the status and authID's own `{ID, Message}`, cut to a bounded
/// length, without control characters and without our secrets.
struct AuthIDRefusal: Sendable, Equatable, CustomStringConvertible {
    private static let longestID = 64
    private static let longestMessage = 240

    let status: Int
    let id: String?
    let message: String?

    init(status: Int, body: [UInt8], redacting redaction: LogRedaction) {
        let error = try? JSONDecoder().decode(Body.self, from: Data(body))
        self.status = status
        id = redaction.logText(error?.id, limit: Self.longestID)
        message = redaction.logText(error?.message, limit: Self.longestMessage)
    }

    var description: String {
        var text = "HTTP \(status)"
        if let id { text += " \(id)" }
        if let message { text += ": \(message)" }
        return text
    }

    private struct Body: Decodable {
        let id: String?
        let message: String?

        init(from decoder: any Decoder) throws {
            let body = try decoder.container(keyedBy: Key.self)
            // One of them in an odd form must not cost us the other.
            id = try? body.decode(String.self, forKey: .id)
            message = try? body.decode(String.self, forKey: .message)
        }

        enum Key: String, CodingKey {
            case id = "ID"
            case message = "Message"
        }
    }
}
