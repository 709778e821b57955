import Kernel

/// The message that ties a person's decision page to the device where the request began (CIBA Core §7.1, `binding_message`).
package struct BindingMessage: Sendable, Equatable {
    /// The most scalars of a message.
    package static let limit = 100

    package let text: String

    /// Checks that a text is a single line that shows all its characters.
    ///
    /// A message that hides or reverses a part could mean different things to the client and to the person.
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
