import Operations

/// Translates authID's transaction status into a scan status.
enum AuthIDStatus {
    /// Reads the body of a good answer: a body that is not clearly about `reference` gives `nonsense`.
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

    /// Returns the reason, which only the message gives.
    ///
    /// Failed liveness is graver, so it counts when both are named.
    private static func rejection(_ message: String?) -> ScanStatus.Rejection {
        let text = message?.lowercased() ?? ""
        if text.contains("liveness") { return .livenessFailed }
        return text.contains("biometry") ? .notMatched : .declined
    }
}
