import Kernel

/// What ties the page that a person decides on to the place where they asked (CIBA Core §7.1, `binding_message`).
package struct BindingMessage: Sendable, Equatable {
    /// The longest, in scalars.
    package static let limit = 100

    package let text: String

    /// - Throws: ``OAuthError`` `invalid_binding_message` for what is no single line of text that shows all it holds
    ///   (CIBA Core §13): a message that can turn itself around or hide a part could say one thing to the client and another
    ///   to the person.
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
