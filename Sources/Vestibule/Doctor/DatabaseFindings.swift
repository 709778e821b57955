import Kernel
import Settings
import Storage

/// Interprets the answer of a PostgreSQL server.
enum DatabaseFindings {
    /// `answer`: the settings with which the server can lose logins, or the reason why it can't be used.
    static func server(_ name: String, _ answer: Result<[PostgresWarning], PostgresOpenError>) -> [Finding] {
        switch answer {
        case .success(let warnings) where warnings.isEmpty:
            [.ok("database", "\(name) can be used, and forgets no login by its settings")]
        case .success(let warnings):
            warnings.map { Finding(check: "database", level: .warning, found: $0.message, remedy: nil) }
        // The message has the remedy.
        case .failure(let error): [Finding(check: "database", level: .error, found: error.message, remedy: nil)]
        }
    }
}

extension Installation {
    /// Connects to the server, and blocks until it answers or the deadline of the settings has passed.
    func databaseFindings(_ options: PostgresOptions) -> [Finding] {
        let answer: Result<[PostgresWarning], PostgresOpenError>
        do throws(PostgresOpenError) {
            answer = .success(try PostgresDatabase.warnings(options, clock: environment.clock))
        } catch { answer = .failure(error) }
        return DatabaseFindings.server(settings.storage.name, answer)
    }
}
