import Kernel

/// The message that links a person's decision page to the device where the request began (CIBA Core §7.1,
/// `binding_message`).
package struct BindingMessage: Sendable, Equatable {
    /// The most Unicode scalars of a message.
    package static let limit = 100

    package let text: String

    /// Checks that a text is a single line in which every character is visible.
    ///
    /// The client and the person could read a message with a hidden or reversed part differently.
    /// - Throws: ``OAuthError`` `invalid_binding_message` (CIBA Core §13).
    package init(_ text: String) throws(OAuthError) {
        guard ShownText.isPlain(text, limit: Self.limit) else {
            throw OAuthError(
                .invalidBindingMessage,
                "binding_message has to be one line of at most \(Self.limit) characters, with none that are not seen."
            )
        }
        self.text = text
    }
}
