import HTTPAPI
import HTTPTypes
import HummingbirdTesting
import Kernel
import Testing

@testable import Vestibule

/// A row: what came of a route for each column, and what had to.
struct MatrixRow: Sendable {
    let method: String
    let template: String
    /// Which of the ways to call the route; empty for the usual one.
    let variant: String
    let access: Access
    let cells: [(column: MatrixColumn, expected: MatrixExpectation?, outcome: MatrixOutcome?)]
    /// What the right one is answered, as its case has it.
    let status: Int

    var texts: [String] { cells.map { $0.outcome?.text ?? "·" } }

    /// What is not as it has to be, a sentence each.
    var faults: [String] {
        cells.compactMap { column, expected, outcome in
            guard let expected, let outcome else { return nil }
            let isRight = column != .right || outcome.status == status
            guard !outcome.meets(expected) || !isRight else { return nil }
            return "\(method) \(template) \(variant), \(column.rawValue): \(outcome.text), \(expected)"
        }
    }
}

/// Calls every route of the table with everything that must not get in, and with what must.
struct AuthorizationMatrix: Sendable {
    let bench: Bench

    /// A row for each way to call each route.
    func rows() async throws -> [MatrixRow] {
        let routes = bench.api.table(bench.settings).routes
        let isStream: (Route) -> Bool = { $0.template.contains("/events/") }
        var rows: [MatrixRow] = []
        // A stream of events goes on until the daemon goes down.
        for (number, route) in (routes.filter { !isStream($0) } + routes.filter(isStream)).enumerated() {
            if isStream(route) { bench.api.drain.drain() }
            for (way, row) in Self.cases(of: route).enumerated() {
                rows.append(try await self.row(route, row, number + way * 1000))
            }
        }
        return rows
    }

    /// The ways to call a route; one that is there with and without `/api` has the same for both.
    static func cases(of route: Route) -> [MatrixCase] {
        let name = "\(route.method.rawValue) \(route.template)"
        let bare = "\(route.method.rawValue) \(route.template.dropFirst(prefix(of: route).count))"
        let own = MatrixCases.all.filter { $0.route == name }
        return own.isEmpty ? MatrixCases.all.filter { $0.route == bare } : own
    }

    /// `/api` for the second of two.
    private static func prefix(of route: Route) -> String { route.template.hasPrefix("/api/") ? "/api" : "" }

    private func row(_ route: Route, _ row: MatrixCase, _ number: Int) async throws -> MatrixRow {
        var cells: [(column: MatrixColumn, expected: MatrixExpectation?, outcome: MatrixOutcome?)] = []
        for (offset, column) in MatrixColumn.allCases.enumerated() {
            let expected = row.expectation(column, route.access)
            var outcome: MatrixOutcome?
            if expected != nil { outcome = try await visit(route, row, column, number * 100 + offset) }
            cells.append((column, expected, outcome))
        }
        return MatrixRow(
            method: route.method.rawValue,
            template: route.template,
            variant: row.variant,
            access: route.access,
            cells: cells,
            status: row.status
        )
    }

    private func visit(
        _ route: Route,
        _ row: MatrixCase,
        _ column: MatrixColumn,
        _ number: Int
    ) async throws -> MatrixOutcome {
        let person = try await bench.matrixPerson(number, row)
        let tokens = MatrixTokens(bench: bench, row: row, person: person, session: person.session)
        let right = try #require(try await tokens.access(.right))
        let prepared = try await row.prepare(
            MatrixVisit(bench: bench, person: person, token: right, isProved: row.proves(column))
        )
        let request = try await bringing(column, to: prepared, row, person)
        let isTwin = row.route != "\(route.method.rawValue) \(route.template)"
        let response = try await bench.send(
            route.method,
            (isTwin ? Self.prefix(of: route) : "") + request.path,
            request.headers,
            body: request.body
        )
        return MatrixOutcome(
            status: Int(response.status.code),
            isGranted: try await request.isGranted(response)
        )
    }

    /// The request with what the column brings, in its place.
    private func bringing(
        _ column: MatrixColumn,
        to prepared: MatrixRequest,
        _ row: MatrixCase,
        _ person: MatrixPerson
    ) async throws -> MatrixRequest {
        let session = prepared.session ?? person.session
        let tokens = MatrixTokens(bench: bench, row: row, person: person, session: session)
        var request = prepared
        switch row.credential {
        case .access:
            request.headers.bring(try await tokens.access(column))
        case .refresh(.bearer):
            request.headers.bring(try await tokens.refresh(column))
        case .refresh(.cookie):
            if let token = try await tokens.refresh(column) { request.headers[.cookie] = "vst_refresh=\(token)" }
        case .refresh(.body):
            let token = try await tokens.refresh(column)
            request.body = token.map { #"{"refreshToken":"\#($0)"}"# } ?? "{}"
            request.headers[.contentType] = "application/json"
        case .nothing, .inRequest:
            // The right one is without a token: apps that have none yet come like that.
            if column != .right { request.headers.bring(try await tokens.access(column)) }
        }
        return request
    }
}

extension MatrixCase {
    /// Whether the request has what opens the route, where that is no token: a disabled account has it still.
    func proves(_ column: MatrixColumn) -> Bool {
        switch credential {
        case .inRequest(let ofAccount):
            column == .right || column == .besideBad || (ofAccount && column == .disabled)
        case .nothing, .access, .refresh: true
        }
    }
}

extension HTTPFields {
    fileprivate mutating func bring(_ token: String?) {
        if let token { self[.authorization] = "Bearer \(token)" }
    }
}
