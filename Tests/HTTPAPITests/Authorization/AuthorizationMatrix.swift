import Fuzzing
import HTTPTypes
import HummingbirdTesting
import Kernel
import Testing

@testable import Assembly
@testable import HTTPAPI

/// A row: the outcome of a way for each column, and the expected one.
struct MatrixRow: Sendable {
    let way: MatrixWay
    let cells: [(column: MatrixColumn, expected: MatrixExpectation?, outcome: MatrixOutcome?)]

    var texts: [String] { cells.map { $0.outcome?.text ?? "·" } }

    /// The deviations from the expected outcomes, a sentence each.
    var faults: [String] {
        cells.compactMap { column, expected, outcome in
            guard let expected, let outcome else { return nil }
            let isRight = column != .right || outcome.status == way.row.status
            guard !outcome.meets(expected) || !isRight else { return nil }
            return
                "\(way.route.method.rawValue) \(way.route.template) \(way.row.variant), \(column.rawValue): \(outcome.text), \(expected)"
        }
    }
}

/// A way to call a route of the table; a route that exists with and without `/api` has the same ways for both.
struct MatrixWay: Sendable {
    let route: Route
    let row: MatrixCase

    static func all(_ routes: [Route]) -> [MatrixWay] {
        routes.flatMap { route in cases(of: route).map { MatrixWay(route: route, row: $0) } }
    }

    /// The cases of a route, of its own or of the one without `/api`.
    static func cases(of route: Route) -> [MatrixCase] {
        let own = MatrixCases.all.filter { $0.route == "\(route.method.rawValue) \(route.template)" }
        let bare = MatrixKey.bare(route.template)
        return own.isEmpty ? MatrixCases.all.filter { $0.route == "\(route.method.rawValue) \(bare)" } : own
    }

    /// A stream of events lasts until the daemon stops.
    var isStream: Bool { route.template.contains("/events/") }

    /// `/api` for the second of two.
    var prefix: String { row.route.hasSuffix(" \(route.template)") ? "" : "/api" }

    var key: MatrixKey { MatrixKey(route.method.rawValue, route.template, row.variant) }

    /// The columns that this way is called with, of all the `ways`.
    ///
    /// Where everybody gets the same answer, `make test` presents the right credential and a share of the rest. The
    /// ways of the same declaration share all columns. `make test-long` calls each way with every column.
    func columns(among ways: [MatrixWay]) -> Set<MatrixColumn> {
        guard row.credential == .nothing, !TestSize.isLong else { return Set(MatrixColumn.allCases) }
        let alike = ways.filter { $0.row.credential == .nothing && $0.route.access == route.access }
        let rest = MatrixColumn.allCases.filter { $0 != .right }
        let shares = min(alike.count, rest.count)
        let own = alike.firstIndex { $0.route.template == route.template && $0.row.id == row.id } ?? 0
        return Set(rest.indices.filter { $0 % shares == own % shares }.map { rest[$0] } + [.right])
    }
}

/// Calls the routes of the table with everything that must not get in, and with what must.
struct AuthorizationMatrix: Sendable {
    let harness: Harness

    /// A row for each way to call a route that is one of the group's.
    func rows(of group: MatrixGroup) async throws -> [MatrixRow] {
        let all = MatrixWay.all(harness.api.table.routes)
        let ids = Set(group.cases.map(\.id))
        let ways = all.filter { ids.contains($0.row.id) }
        var rows: [MatrixRow] = []
        for way in ways.filter({ !$0.isStream }) + ways.filter(\.isStream) {
            if way.isStream { harness.api.drain.drain() }
            rows.append(try await row(way, way.columns(among: all), rows.count))
        }
        return rows
    }

    private func row(_ way: MatrixWay, _ columns: Set<MatrixColumn>, _ number: Int) async throws -> MatrixRow {
        var outcomes: [MatrixColumn: MatrixOutcome] = [:]
        let expected = { way.row.expectation($0, way.route.access) }
        for (offset, column) in MatrixColumn.allCases.enumerated() where columns.contains(column) {
            guard expected(column) != nil else { continue }
            outcomes[column] = try await context(way, column, number * 100 + offset)
        }
        return MatrixRow(
            way: way,
            cells: MatrixColumn.allCases.map { column in
                let known = columns.contains(column) ? column : .right
                return (column, expected(column), outcomes[known])
            }
        )
    }

    private func context(_ way: MatrixWay, _ column: MatrixColumn, _ number: Int) async throws -> MatrixOutcome {
        let row = way.row
        let person = try await harness.matrixPerson(number, row)
        let tokens = MatrixTokens(harness: harness, row: row, person: person, session: person.session)
        let right = try #require(try await tokens.access(.right))
        let prepared = try await row.prepare(
            MatrixContext(harness: harness, person: person, token: right, isProved: row.proves(column))
        )
        let request = try await presenting(column, to: prepared, row, person)
        let response = try await harness.send(
            way.route.method,
            way.prefix + request.path,
            request.headers,
            body: request.body
        )
        return MatrixOutcome(status: Int(response.status.code), isGranted: try await request.isGranted(response))
    }

    /// The request with the column's credential, in its location.
    private func presenting(
        _ column: MatrixColumn,
        to prepared: MatrixRequest,
        _ row: MatrixCase,
        _ person: MatrixPerson
    ) async throws -> MatrixRequest {
        let session = prepared.session ?? person.session
        let tokens = MatrixTokens(harness: harness, row: row, person: person, session: session)
        var request = prepared
        switch row.credential {
        case .access:
            request.headers.present(try await tokens.access(column))
        case .refresh(.bearer):
            request.headers.present(try await tokens.refresh(column))
        case .refresh(.cookie):
            if let token = try await tokens.refresh(column) { request.headers[.cookie] = "vst_refresh=\(token)" }
        case .refresh(.body):
            let token = try await tokens.refresh(column)
            request.body = token.map { #"{"refreshToken":"\#($0)"}"# } ?? "{}"
            request.headers[.contentType] = "application/json"
        case .nothing, .inRequest:
            // The right one has no token: apps that have none yet send none.
            if column != .right { request.headers.present(try await tokens.access(column)) }
        }
        return request
    }
}

extension MatrixCase {
    /// Whether the request has a credential other than a token that opens the route: a disabled account still has it.
    func proves(_ column: MatrixColumn) -> Bool {
        switch credential {
        case .inRequest(let ofAccount):
            column == .right || column == .besideBad || (ofAccount && column == .disabled)
        case .nothing, .access, .refresh: true
        }
    }
}

extension HTTPFields {
    fileprivate mutating func present(_ token: String?) {
        if let token { self[.authorization] = "Bearer \(token)" }
    }
}
