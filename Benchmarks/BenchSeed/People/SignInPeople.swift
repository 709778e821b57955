import ArgumentParser
import Foundation

/// `bench-seed people`: many people sign in, each with an app that goes on when a server fails.
struct SignInPeople: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people",
        abstract: "Signs many people in, each once, through servers that may fail meanwhile.",
        discussion: """
            An app sends a request again that was answered with 429 or a fault of the server, or not at all. It starts its \
            login anew only if the start itself got no answer. Each app names an address of its own in X-Forwarded-For. \
            Prints the progress, and writes a line for each person: e-mail address, subject and session, with tabs \
            between. Ends with 1 if a login was lost, or two logins got one session.

            Example: bench-seed people --server http://127.0.0.1:8080 --emails people.txt --output sessions.tsv
            """
    )

    @Option(help: "The address of the servers, like http://127.0.0.1:8080.") var server: String
    @Option(help: "The file with the e-mail addresses, one a line. The provider has to accept their scans.")
    var emails: String
    @Option(help: "The file for the sessions.") var output: String
    @Option(help: "People who sign in at the same time.") var connections = 64
    @Option(help: "The number of seconds after which a login counts as lost.") var patience = 90

    func validate() throws {
        guard connections > 0, patience > 0 else {
            throw ValidationError("--connections and --patience must be above 0.")
        }
    }

    func run() async throws {
        let people = try String(contentsOfFile: emails, encoding: .utf8).split(separator: "\n").map(String.init)
        let server = SeedServer(url: server, connections: connections)
        let progress = PeopleProgress(count: people.count)
        let began = ContinuousClock.now
        let sessions = try await server.use { client in
            try await server.share(Array(people.enumerated())) { number, email -> PersonSession? in
                let app = PersonApp(
                    server: server.from(Self.address(number)),
                    client: client,
                    patience: .seconds(patience),
                    onRetry: { await progress.noteRetry() }
                )
                do {
                    let session = try await app.signIn(email)
                    await progress.note(lost: nil)
                    return session
                } catch {
                    await progress.note(lost: "\(email): \((error as? SeedError)?.text ?? "\(error)")")
                    return nil
                }
            }
        }
        .compactMap(\.self)
        let lines = sessions.sorted { $0.email < $1.email }.map(\.line).joined(separator: "\n") + "\n"
        try Data(lines.utf8).write(to: URL(fileURLWithPath: output))
        let took = (ContinuousClock.now - began).components.seconds
        let retries = await progress.retries
        let (distinct, owners) = (Set(sessions.map(\.session)).count, Set(sessions.map(\.subject)).count)
        print(
            """
            \(sessions.count) of \(people.count) signed in within \(took) s, with \(distinct) sessions of \(owners) accounts. \
            Lost: \(people.count - sessions.count). Requests sent again: \(retries).
            """
        )
        guard [sessions.count, distinct, owners].allSatisfy({ $0 == people.count }) else { throw ExitCode.failure }
    }

    /// One of 16 million that belong to nobody outside (RFC 1918 §3).
    private static func address(_ number: Int) -> String {
        "10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
    }
}

/// Prints how far the people are.
private actor PeopleProgress {
    private let count: Int
    private var signedIn = 0
    private(set) var retries = 0

    init(count: Int) { self.count = count }

    func noteRetry() { retries += 1 }

    /// Counts a person who is signed in, or whose login was lost for that reason.
    func note(lost reason: String?) {
        if let reason {
            print("lost: \(reason)")
        } else {
            signedIn += 1
            let step = max(1, count / 10)
            if signedIn.isMultiple(of: step) || signedIn == count { print("signed in: \(signedIn) of \(count)") }
        }
        fflush(nil)
    }
}
