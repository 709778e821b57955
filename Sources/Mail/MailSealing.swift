/// Port: seals what lies in the queue, authenticated, so that who reads the database reads no mail.
package protocol MailSealing: Sendable {
    /// The name of the key that is sealed with now.
    var currentKey: String { get }

    /// `context`: what the bytes are; they open for nothing else.
    func seal(_ bytes: [UInt8], as context: String) throws -> [UInt8]

    /// `nil` for bytes that were sealed with another key or as something else, or were changed.
    func open(_ bytes: [UInt8], key: String, as context: String) -> [UInt8]?
}

/// What the two sealed columns of a row are sealed as: neither opens in the other's place or in another row.
package enum MailSealContext {
    package static func recipient(of mail: MailID) -> String { "mail/\(mail)/recipient" }
    package static func message(of mail: MailID) -> String { "mail/\(mail)/message" }
}
