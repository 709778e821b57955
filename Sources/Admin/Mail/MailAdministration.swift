package import Mail

/// Port: the mail queue, for commands.
package protocol MailAdministration: Sendable {
    /// Returns the mails, the newest first.
    func list(_ states: Set<QueuedMail.State>, limit: Int) async throws -> [MailService.Summary]
    /// Tries every queued mail now.
    func flush() async throws -> MailService.Flushed
    /// The tags of the languages that mail is written in, like `fr`.
    var languages: [String] { get }
    /// Sends a test mail and tries to deliver it.
    ///
    /// - Returns: The queued mail, or `nil` if it was delivered.
    /// - Throws: `MailError`.
    func test(to address: String, language: String) async throws -> QueuedMail?
}
