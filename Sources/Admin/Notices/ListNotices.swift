import ArgumentParser
import Kernel
import OAuth

/// `vestibule notices list`: notices to clients that wait, the next due first.
struct ListNotices: CommandLineCommand {
    static let name = "listNotices"
    static let replyName = "notices"
    static let effect = CommandEffect.reads

    var client: String?
    /// The last notice of the page before.
    var after: String?
    var limit: Int

    func handle(_ services: AdminServices) async throws -> [NoticeView] {
        let (now, rows) = (services.environment.now(), ListLimit.rows(limit))
        // Behind a notice are those of the first ten thousand: no more are looked at.
        let read = after == nil ? rows : ListLimit.most
        var found = try await services.notices.waiting(for: client, limit: read).map { NoticeView($0, at: now) }
        if let after {
            guard let place = found.firstIndex(where: { $0.id == after }) else {
                throw AdminError(
                    code: "notice_not_found",
                    message: "The notice \(after) does not wait any more. List them from the beginning."
                )
            }
            found.removeFirst(place + 1)
        }
        return Array(found.prefix(rows))
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "list",
            "List notices to clients that wait, the next due first.",
            about: """
                Pings and pushes of CIBA (ciba) and logout tokens (logout). A notice that was delivered or given up leaves \
                no row. A failure of a CIBA notice is in the log.
                """,
            examples: ["vestibule notices list", "vestibule notices list --client shop --limit 1000 --json"]
        )

        @Option(help: "Only notices to this client.") var client: String?
        @Option(help: ArgumentHelp("Continue the list after this notice.", valueName: "notice")) var after: String?
        @Option(help: "The largest number of rows.") var limit = 100

        func command(_ input: CommandInput) -> any AdminCommand<[NoticeView]> {
            ListNotices(client: client, after: after, limit: limit)
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

    package static let titles = ["NOTICE", "CLIENT", "AGE", "TRIES", "FAILURE", "NEXT TRY"]

    package var cells: [String] {
        [id, client, "\(ageSeconds) s", String(attempts), failure ?? "-", Rendering.time(dueAt)]
    }
}
