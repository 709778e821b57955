import Testing

@testable import Console

/// What a page shows of a command's reply.
struct OutcomeBodyTests {
    @Test func `members of a reply are words, and their times are dates`() {
        let reply = """
            {"hasPassword":false,"createdAt":1800000000000,"id":"a","verifiedEmails":["b","c"],"lastUsedAt":null}
            """
        let body = ConsoleContent.Body(CommandOutcome(table: nil, lines: [reply], problem: nil), caption: "")
        #expect(
            body.pairs?.all.map { "\($0.name) = \($0.value)" } == [
                "created at = 2027-01-15T08:00:00Z", "has password = no", "id = a", "last used at = -",
                "verified emails = b, c",
            ]
        )
    }
}
