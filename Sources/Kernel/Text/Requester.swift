/// The person behind a request, as far as a mail to the account's owner tells about them.
package struct Requester: Sendable, Hashable {
    /// The language tag of mails, like `fr`.
    package let language: String
    /// The network address of the request; empty if it is unknown or tells nothing.
    package let address: String
    /// The names of browser and system, like `Firefox, Windows`; empty if they are unknown.
    package let agent: String

    package init(language: String, address: String = "", agent: String = "") {
        self.language = language
        self.address = address
        self.agent = agent
    }
}

extension Requester: ExpressibleByStringLiteral {
    /// Creates the requester of that language, of whom nothing else is known.
    package init(stringLiteral language: String) { self.init(language: language) }
}
