import Operations

/// authID's transaction status in our words.
enum AuthIDStatus {
    /// Reads the body of a good answer; whatever is not clearly about `reference` is `nonsense`.
    static func read(_ body: [UInt8], of reference: ProviderReference) -> ScanStatus {
        guard let document = AuthIDDocument(body), document.text("TransactionId") == reference.text,
            let number = document.integer("Status")
        else { return .nonsense }
        return status(number, message: document.text("Message"))
    }

    static func status(_ number: Int, message: String?) -> ScanStatus {
        switch number {
        case 0: .pending(.userInProvider)
        case 1: .approved
        case 2: .rejected(rejection(message))
        case 3: .expired
        case 4: .broken
        case 5: .canceled
        default: .unrecognised
        }
    }

    /// Only the message says why; when it names both, a face that is not alive is the graver finding.
    private static func rejection(_ message: String?) -> ScanStatus.Rejection {
        let text = message?.lowercased() ?? ""
        if text.contains("liveness") { return .livenessFailed }
        return text.contains("biometry") ? .notMatched : .declined
    }
}
