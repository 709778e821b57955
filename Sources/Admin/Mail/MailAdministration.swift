package import Mail

/// Port: what commands may ask of the mail queue.
package protocol MailAdministration: Sendable {
    /// Returns the newest first.
    func list(_ states: Set<QueuedMail.State>, limit: Int) async throws -> [MailService.Summary]
    /// Tries every queued mail now.
    func flush() async throws -> MailService.Flushed
    /// The tags of the languages that mail is written in, like `fr`.
    var languages: [String] { get }
    /// Sends a mail that says that mail arrives, and tries it; returns `nil` once it is delivered.
    ///
    /// - Throws: `MailError`.
    func test(to address: String, language: String) async throws -> QueuedMail?
}
