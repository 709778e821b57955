import Kernel
import Testing

@testable import Storage

/// What an error of PostgreSQL means to a caller, and whether its transaction is run again.
struct PostgresErrorTests {
    @Test(arguments: [
        "08006", "25006", "25P02", "25P03", "28P01", "3D000", "40001", "40P01", "42501", "53100", "53300", "55P03",
        "57014", "57P01", "57P03", "58030", "XX000", "0A000",
    ])
    func `what a later try may cure is unavailable`(_ state: String) {
        let error = StoreError(PostgresError.server(state: state, message: "a reason"))
        #expect(error == .unavailable(cause: "PostgreSQL \(state) (a reason)"))
    }

    @Test(arguments: ["21000", "22P02", "23502", "23503", "23505", "23514", "42601", "42P01", "44000"])
    func `what the program got wrong is a conflict`(_ state: String) {
        let error = StoreError(PostgresError.server(state: state, message: "a reason"))
        #expect(error == .conflict(cause: "PostgreSQL \(state) (a reason)"))
    }

    @Test(arguments: ["XX001", "XX002"])
    func `a damaged table or index is corrupt`(_ state: String) {
        let error = StoreError(PostgresError.server(state: state, message: "a reason"))
        #expect(error == .corrupt(cause: "PostgreSQL \(state) (a reason)"))
    }

    @Test func `a lost connection is unavailable, and says when the outcome is unknown`() {
        #expect(StoreError(PostgresError.lost(cause: "gone")).cause == "the connection to PostgreSQL was lost: gone")
        #expect(StoreError(PostgresError.uncertain(cause: "gone")).cause.contains("the outcome is unknown"))
        #expect(StoreError(PostgresError.silent(for: .seconds(5))).cause.contains("within 5000 ms"))
    }

    @Test(arguments: ["40001", "40P01"])
    func `a serialization failure and a deadlock are run again, ten times in all`(_ state: String) {
        var attempts = PostgresAttempts()
        let error = PostgresError.server(state: state, message: "a reason")
        for _ in 1...9 { #expect(attempts.verdict(on: error) == nil) }
        let cause = "the last of 10 tries failed: PostgreSQL \(state) (a reason)"
        #expect(attempts.verdict(on: error) == .unavailable(cause: cause))
    }

    @Test func `a transaction that has had its time is not run again`() {
        var attempts = PostgresAttempts()
        let failure = attempts.verdict(on: .lost(cause: "gone"), isLate: true)
        #expect(failure?.cause == "the last of 1 tries failed: the connection to PostgreSQL was lost: gone")
    }

    @Test func `a unique violation is run again once`() {
        var attempts = PostgresAttempts()
        let error = PostgresError.server(state: "23505", message: "a key")
        #expect(attempts.verdict(on: error) == nil)
        #expect(attempts.verdict(on: .server(state: "40001", message: "a reason")) == nil)
        #expect(attempts.verdict(on: error) == .conflict(cause: "PostgreSQL 23505 (a key)"))
    }

    @Test(
        arguments: [
            .server(state: "23514", message: ""), .server(state: "57014", message: ""), .silent(for: .seconds(5)),
            .uncertain(cause: ""), .refused(cause: ""),
        ] as [PostgresError]
    )
    func `no other error but a lost connection is run again`(_ error: PostgresError) {
        var attempts = PostgresAttempts()
        #expect(attempts.verdict(on: error) == StoreError(error))
        var others = PostgresAttempts()
        #expect(others.verdict(on: .lost(cause: "")) == nil)
    }

    @Test func `pauses grow from a millisecond to fifty`() {
        var attempts = PostgresAttempts()
        let pauses = (1...9).map { _ in
            _ = attempts.verdict(on: .lost(cause: ""))
            return attempts.pause.wholeMilliseconds
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 50, 50, 50])
    }
}
