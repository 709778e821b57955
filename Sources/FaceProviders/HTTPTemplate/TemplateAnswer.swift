import Kernel
import Operations
import Outbound

/// The meaning of an answer, by its status.
enum TemplateAnswer: Sendable {
    /// 2xx, with its body.
    case good([UInt8])
    /// 2xx, with a body above the size limit.
    case oversized
    /// The provider refuses: 4xx, except temporary errors and authentication errors of this server.
    case refused(status: Int, text: String)
    /// The provider is temporarily unavailable, or this server's credentials are wrong, which an operator fixes.
    case unavailable(status: Int, text: String)

    init(_ response: OutboundResponse, texts: [JSONPointer], redacting redaction: LogRedaction) {
        let text = Self.text(response, at: texts, redacting: redaction)
        switch response.status {
        case 200..<300: self = .good(response.body)
        case 401, 403, 408, 425, 429: self = .unavailable(status: response.status, text: text)
        case 400..<500: self = .refused(status: response.status, text: text)
        default: self = .unavailable(status: response.status, text: text)
        }
    }

    var isUnauthorised: Bool {
        if case .unavailable(401, _) = self { true } else { false }
    }

    /// Returns the status, and the values that the config's pointers find in the body.
    ///
    /// The rest of the body is left out: it may contain anything.
    private static func text(
        _ response: OutboundResponse,
        at texts: [JSONPointer],
        redacting redaction: LogRedaction
    ) -> String {
        var text = "HTTP \(response.status)"
        guard !texts.isEmpty, let document = try? JSONReader.read(response.body) else { return text }
        for pointer in texts {
            guard let word = redaction.logText(pointer.value(in: document)?.word, limit: 240) else { continue }
            text += " \(word)"
        }
        return text
    }

    /// Returns the body of a good answer, and throws the error for any other answer.
    func usable(for label: String) throws(ProviderError) -> [UInt8] {
        switch self {
        case .good(let body): return body
        case .oversized: throw .unavailable(cause: "\(label): the answer cannot be read")
        case .refused(_, let text): throw .refused(cause: "\(label): \(text)")
        case .unavailable(_, let text): throw .unavailable(cause: "\(label): \(text)")
        }
    }
}
