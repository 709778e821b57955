import Kernel

/// The address of the person's scan page, which is a bearer secret.
enum AuthIDPage {
    /// Returns the address, with encoded one-time secrets: an unencoded `+` of their Base64 would arrive as a space.
    static func address(at pageURL: String, transaction: String, secret: Secret) -> Secret {
        let transaction = PercentEncoding.component(transaction)
        return Secret("\(pageURL)/?t=\(transaction)&s=\(PercentEncoding.component(secret.expose()))")
    }

    static func enrolmentAddress(at pageURL: String, operation: String, secret: Secret) -> Secret {
        let operation = PercentEncoding.component(operation)
        return Secret("\(pageURL)/?i=\(operation)&s=\(PercentEncoding.component(secret.expose()))")
    }
}
