import Testing

@testable import Assembly
@testable import Storage
@testable import Vestibule

/// What `vestibule doctor` makes of a PostgreSQL server.
struct DoctorServerTests {
    @Test func `a PostgreSQL server is in order, or can lose logins, or can't be used`() throws {
        #expect(DatabaseFindings.server("rows at db:5432", .success([])).map(\.level) == [.ok])
        let forgetful = DatabaseFindings.server("rows at db:5432", .success(PostgresWarning.allCases))
        #expect(forgetful.map(\.found) == PostgresWarning.allCases.map(\.message))
        #expect(forgetful.allSatisfy { $0.level == .warning })
        let error = PostgresOpenError(database: "rows at db:5432", reason: .unknownDatabase)
        let findings = DatabaseFindings.server("rows at db:5432", .failure(error))
        #expect(findings.map(\.level) == [.error])
        #expect(findings.map(\.found) == [error.message])
    }

    @Test func `keys that are gone are an error, and keys that can't be read are not checked`() {
        let gone = DatabaseFindings.keys(UnusableFilesError(message: "The keys are gone."))
        #expect(gone.level == .error && gone.found == "The keys are gone.")
        #expect(DatabaseFindings.keys(CancellationError()).level == .notChecked)
    }

    @Test(arguments: [("PGHOSTADDR", true), ("PGSERVICE", true), ("PGPASSWORD", true), ("PATH", false)])
    func `libpq sees no variable of its own`(
        _ name: String,
        _ isForeign: Bool
    ) {
        #expect(ForeignVariables.isForeign(name) == isForeign)
    }
}
