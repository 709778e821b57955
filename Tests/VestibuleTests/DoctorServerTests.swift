import Testing

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
}
