import ArgumentParser
import Kernel
import OAuth

/// `vestibule notices list`: notices to clients that wait, the next due first.
struct ListNotices: CommandLineCommand {
    static let name = "listNotices"
    static let replyName = "notices"
    static let effect = CommandEffect.reads

    var client: String?
    /// The place of the last notice of the page before, or that notice.
    var after: String?
    var limit: Int

    func handle(_ services: AdminServices) async throws -> [NoticeView] {
        let now = services.environment.now()
        let place = try await place(services)
        return try await services.notices.waiting(for: client, after: place, limit: ListLimit.rows(limit))
            .map { NoticeView($0, at: now) }
    }

    /// Returns the place that the list continues after; `nil` for its beginning.
    private func place(_ services: AdminServices) async throws -> NoticePlace? {
        guard let after else { return nil }
        if let place = NoticePlace(after) { return place }
        // A notice without its time is looked for among the first ten thousand.
        let found = try await services.notices.waiting(for: client, after: nil, limit: ListLimit.most)
        guard let notice = found.first(where: { "\($0.kind.rawValue):\($0.subject)" == after }) else {
            throw AdminError(
                code: "notice_not_found",
                message: "The notice \(after) does not wait any more. Use the text of --after that a list ends with."
            )
        }
        return NoticePlace(notice)
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "list",
            "List notices to clients that wait, the next due first.",
            about: """
                Pings and pushes of CIBA (ciba) and logout tokens (logout). A notice that was delivered or given up leaves \
                no row. A failure of a CIBA notice is in the log. A list that may go on ends with the --after of its next page.
                """,
            examples: ["vestibule notices list", "vestibule notices list --client shop --limit 1000 --json"]
        )

        @Option(help: "Only notices to this client.") var client: String?
        @Option(help: ArgumentHelp("Continue the list after this notice.", valueName: "notice")) var after: String?
        @Option(help: "The largest number of rows.") var limit = 100

        func command(_ input: CommandInput) -> any AdminCommand<[NoticeView]> {
            ListNotices(client: client, after: after, limit: limit)
        }

        func lines(_ reply: [NoticeView]) throws -> [String] {
            let lines = Rendering.table(reply)
            guard let last = reply.last, reply.count >= ListLimit.rows(limit) else { return lines }
            return lines + ["Next page: --after \(last.cursor)"]
        }
    }
}

/// A notice that waits as operators see it, without its endpoint or secrets.
package struct NoticeView: Codable, Sendable, TableRow {
    /// The kind, a colon, and the id of the operation or session that it is about.
    let id: String
    let client: String
    let ageSeconds: Int64
    /// The number of failed tries.
    let attempts: Int
    /// The cause of the last failure, where it is kept.
    let failure: String?
    /// Milliseconds since 1970: the time of the next try or, while a try is in progress, the end of its lease.
    let dueAt: Int64

    init(_ notice: WaitingNotice, at now: Instant) {
        id = "\(notice.kind.rawValue):\(notice.subject)"
        client = notice.client
        ageSeconds = max(0, (now - notice.queuedAt).components.seconds)
        attempts = notice.attempts
        failure = notice.failure
        dueAt = notice.dueAt.milliseconds
    }

    package var cursor: String { "\(id)@\(dueAt)" }

    package static let titles = ["NOTICE", "CLIENT", "AGE", "TRIES", "FAILURE", "NEXT TRY"]

    package var cells: [String] {
        [id, client, "\(ageSeconds) s", String(attempts), failure ?? "-", Rendering.time(dueAt)]
    }
}
