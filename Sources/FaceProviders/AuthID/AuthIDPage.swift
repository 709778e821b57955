import Kernel

/// The page that scans the person, whose address is a bearer secret.
enum AuthIDPage {
    /// One-time secrets are Base64: their `+` would arrive as a blank if it were not encoded.
    static func address(at pageURL: String, transaction: String, secret: Secret) -> Secret {
        let transaction = PercentEncoding.component(transaction)
        return Secret("\(pageURL)/?t=\(transaction)&s=\(PercentEncoding.component(secret.expose()))")
    }

    static func enrolmentAddress(at pageURL: String, operation: String, secret: Secret) -> Secret {
        let operation = PercentEncoding.component(operation)
        return Secret("\(pageURL)/?i=\(operation)&s=\(PercentEncoding.component(secret.expose()))")
    }
}
