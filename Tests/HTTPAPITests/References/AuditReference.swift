import Operations
import ReferencePages
import Sessions
import Testing

/// The audit as a page: every event with its detail, and the words that details are made of.
enum AuditReference {
    static func page() throws -> ReferencePage {
        let sections = try events().sorted { $0.name < $1.name }.map { events in
            let rows = try events.cases.map { event in
                let meaning = try #require(event.comment.summary, "\(event.value) has no comment")
                return [Markdown.code(event.value), meaning, event.comment.paragraph("Detail") ?? "–"]
            }
            return "## \(events.name)\n\n\(events.introduction)\n\n"
                + Markdown.table(["event", "when", "detail"], rows)
        }
        let words = [
            try words("Refusal reasons", "The details of `operation.refused`.", RefusalReason.self),
            try words("Counts", countsIntroduction, TalliedEvent.self),
            try words("Revocation reasons", "The details of `session.revoked`.", RevocationReason.self),
        ]
        return ReferencePage(
            name: "audit-events.md",
            title: "Audit events",
            source: "the enums of `AuditEvent` in Sources and the comments of their cases",
            body: introduction + "\n" + (sections + words).joined(separator: "\n")
        )
    }

    /// The events of one enum.
    private struct Events {
        let name: String
        let introduction: String
        let cases: [(value: String, comment: DocComment)]
    }

    private static func events() throws -> [Events] {
        try SourceComments.files.flatMap { file in
            try file.compactMap { line -> Events? in
                guard line.text.contains(": String, AuditEvent"),
                    let match = line.text.firstMatch(of: /enum (\w+): String, AuditEvent\b/)
                else { return nil }
                let cases = SourceComments.cases(ofEnum: String(match.1), in: file)
                try #require(!cases.isEmpty, "\(match.1) has no events")
                return Events(
                    name: String(match.1.replacing("AuditEvent", with: "")),
                    introduction: try #require(line.comment.summary, "\(match.1) has no comment"),
                    cases: cases
                )
            }
        }
    }

    private static func words<Word>(_ title: String, _ about: String, _ type: Word.Type) throws -> String
    where Word: CaseIterable & RawRepresentable<String> {
        let rows = try SourceComments.cases(of: type).map { word, comment in
            [Markdown.code(word.rawValue), try #require(comment.summary, "\(word.rawValue) has no comment")]
        }
        return "## \(title)\n\n\(about)\n\n" + Markdown.table(["word", "meaning"], rows)
    }

    private static let countsIntroduction = """
        The names in `operations.tally`, each with its count. There are also `refused.` with a refusal reason, `limited.` with
        the name of a limit, and `webhook.` with its outcome.
        """

    private static let introduction = """
        `vestibule audit list` prints the rows, and `vestibule audit verify` checks that none was changed or dropped. A row has
        its number, its time, the event (`fact`), the id that it is about (`subject`), the account where it is one's, and the
        detail. No row has a secret, a token or face data.
        [Monitor and troubleshoot](../guide/monitor-and-troubleshoot.md#the-audit) says how to keep the audit.

        """
}
