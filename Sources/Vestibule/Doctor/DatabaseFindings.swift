import Assembly
import Kernel
import Settings
import Storage

/// Interprets the answer of a PostgreSQL server.
enum DatabaseFindings {
    /// `answer`: the settings with which the server can lose logins, or the reason why a start refuses it.
    static func server(_ name: String, _ answer: Result<[PostgresWarning], PostgresOpenError>) -> [Finding] {
        switch answer {
        case .success(let warnings) where warnings.isEmpty:
            [.ok("database", "\(name) has the tables and rights that a start needs, and syncs its commits")]
        case .success(let warnings):
            warnings.map { Finding(check: "database", level: .warning, found: $0.message, remedy: nil) }
        // The message has the remedy.
        case .failure(let error): [Finding(check: "database", level: .error, found: error.message, remedy: nil)]
        }
    }

    /// Interprets the reason why the keys can't be used with the database.
    static func keys(_ error: any Error) -> Finding {
        guard let error = error as? UnusableFilesError else {
            return .notChecked(
                "database",
                "whether its keys are those in the key folder: \(error)",
                remedy: "Run this as the daemon's user, or as root."
            )
        }
        // The message has the remedy.
        return Finding(check: "database", level: .error, found: error.message, remedy: nil)
    }
}

extension Installation {
    /// Connects to the server, and blocks until it answers or the deadline of the settings has passed.
    ///
    /// The keys are compared with the database only when that can be used.
    func databaseFindings(_ options: PostgresOptions) -> [Finding] {
        let answer: Result<[PostgresWarning], PostgresOpenError>
        do throws(PostgresOpenError) {
            answer = .success(try PostgresDatabase.inspect(options, environment: environment))
        } catch { answer = .failure(error) }
        let findings = DatabaseFindings.server(settings.storage.name, answer)
        guard case .success = answer else { return findings }
        do { try Composition.checkKeys(settings, environment: environment) } catch {
            return findings + [DatabaseFindings.keys(error)]
        }
        return findings
    }
}
