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

    @Test(arguments: ["25006", "0A000"])
    func `what the server refuses on one connection is run again once, on another one`(_ state: String) {
        var attempts = PostgresAttempts()
        let error = PostgresError.server(state: state, message: "a reason")
        #expect(error.endsConnection)
        #expect(attempts.verdict(on: error) == nil)
        #expect(attempts.verdict(on: .lost(cause: "gone")) == nil)
        #expect(attempts.verdict(on: error) == StoreError(error))
    }

    @Test func `only units that other transactions defeat are to run alone`() {
        var (defeated, lost) = (PostgresAttempts(), PostgresAttempts())
        for run in 1...4 {
            #expect(!defeated.needsToBeAlone)
            _ = defeated.verdict(on: .server(state: run == 1 ? "40P01" : "40001", message: ""))
            _ = lost.verdict(on: .lost(cause: ""))
        }
        #expect(defeated.needsToBeAlone && !lost.needsToBeAlone)
    }

    @Test func `connects that failed are tried ten times, and are no runs`() {
        var attempts = PostgresAttempts()
        let error = PostgresError.lost(cause: "gone")
        for _ in 1...9 { #expect(attempts.verdict(onConnecting: error) == nil) }
        #expect(attempts.verdict(onConnecting: error) == StoreError(error))
        #expect(attempts.runs == 0)
        var late = PostgresAttempts()
        #expect(late.verdict(onConnecting: error, isLate: true) == StoreError(error))
        #expect(late.verdict(onConnecting: .silent(for: .seconds(1))) != nil, "a server that is silent stays so")
    }

    @Test func `what other transactions do to a unit is no fault of the database`() {
        let states = ["40001", "40P01", "55P03", "57014", "53100", "57P01", "XX001", "25006"]
        let isContention = states.map { PostgresError.server(state: $0, message: "").isContention }
        #expect(isContention == [true, true, true, false, false, false, false, false])
        #expect(!PostgresError.lost(cause: "").isContention && !PostgresError.silent(for: .seconds(1)).isContention)
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
