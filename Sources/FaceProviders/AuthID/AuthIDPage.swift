import Kernel

/// The address of the person's scan page, which is a bearer secret.
enum AuthIDPage {
    /// Returns the address.
    ///
    /// One-time secrets are Base64: an unencoded `+` would arrive as a space.
    static func address(at pageURL: String, transaction: String, secret: Secret) -> Secret {
        let transaction = PercentEncoding.component(transaction)
        return Secret("\(pageURL)/?t=\(transaction)&s=\(PercentEncoding.component(secret.expose()))")
    }

    static func enrolmentAddress(at pageURL: String, operation: String, secret: Secret) -> Secret {
        let operation = PercentEncoding.component(operation)
        return Secret("\(pageURL)/?i=\(operation)&s=\(PercentEncoding.component(secret.expose()))")
    }
}
