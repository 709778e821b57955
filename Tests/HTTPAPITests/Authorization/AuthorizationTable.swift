import Foundation
import HTTPAPI
import Synchronization
import Testing

/// Which way to call which route, whether with `/api` or without.
struct MatrixKey: Hashable, Comparable {
    let path: String
    let method: String
    let variant: String

    init(_ method: String, _ path: String, _ variant: String) {
        self.path = Self.bare(path)
        self.method = method
        self.variant = variant
    }

    /// The key of a line of the table; `nil` for its head.
    init?(line: Substring) {
        guard let parts = line.firstMatch(of: #/^\| `(\S+) (?:\[/api\])?(\S+)`(.*?) \|/#) else { return nil }
        self.init(String(parts.1), String(parts.2), String(parts.3.dropFirst()))
    }

    static func bare(_ template: String) -> String {
        template.hasPrefix("/api/") ? String(template.dropFirst(4)) : template
    }

    static func < (one: MatrixKey, other: MatrixKey) -> Bool {
        (one.path, one.method, one.variant) < (other.path, other.method, other.variant)
    }
}

/// The matrix as docs/reference/authorization.md has it.
enum AuthorizationTable {
    static var head: [String] {
        let columns = MatrixColumn.allCases.map(\.rawValue)
        return [
            line(["route", "needs one of", "reads, if present", "tokens", "signed in"] + columns),
            line(Array(repeating: "---", count: 5 + columns.count)),
        ]
    }

    /// One line for each way; routes that exist with and without `/api`, and answer alike, share one.
    static func lines(_ rows: [MatrixRow]) -> [String] {
        var lines: [String] = []
        for (key, group) in Dictionary(grouping: rows, by: \.way.key).sorted(by: { $0.key < $1.key }) {
            let group = group.sorted { $0.way.route.template < $1.way.route.template }
            let first = group[0]
            let isOne = group.allSatisfy { $0.texts == first.texts && $0.way.route.access == first.way.route.access }
            for row in isOne ? [first] : group {
                let path = isOne && group.count > 1 ? "[/api]\(key.path)" : row.way.route.template
                let way = key.variant.isEmpty ? "" : " " + key.variant
                lines.append(line(["`\(key.method) \(path)`\(way)"] + declaration(row.way.route.access) + row.texts))
            }
        }
        return lines
    }

    private static func declaration(_ access: Access) -> [String] {
        [list(access.needed), list(access.accepted), tokens(access), recency(access)]
    }

    private static func list(_ proofs: Set<Proof>) -> String {
        proofs.isEmpty ? "–" : proofs.map(\.rawValue).sorted().joined(separator: ", ")
    }

    private static func tokens(_ access: Access) -> String {
        let tokens = access.tokens.map(demand)
        let refresh = access.refreshTokens.map { "refresh: " + demand($0) }
        let all = [tokens, refresh].compactMap(\.self)
        return all.isEmpty ? "–" : all.joined(separator: "; ")
    }

    private static func demand(_ tokens: TokenDemand) -> String {
        ([tokens.clients.rawValue, tokens.audience.rawValue] + tokens.scopes.sorted()).joined(separator: ", ")
    }

    private static func recency(_ access: Access) -> String {
        guard case .session(let session) = access else { return "–" }
        return session.recency.rawValue
    }

    private static func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}

/// docs/reference/authorization.md, with the table that the last run wrote.
struct AuthorizationDocument {
    private static let file = URL(filePath: #filePath).appending(path: "../../../../docs/reference/authorization.md")
        .standardized
    private static let (begin, end) = ("<!-- the matrix -->\n", "\n<!-- its end -->")
    /// Guards the file: the groups run at the same time.
    private static let turn = Mutex(())

    private let before: String
    private let after: String
    let head: [String]
    let lines: [(key: MatrixKey, text: String)]

    init() throws {
        let parts = try String(contentsOf: Self.file, encoding: .utf8).components(separatedBy: Self.begin)
        try #require(parts.count == 2, "docs/reference/authorization.md lacks \(Self.begin)")
        let rest = parts[1].components(separatedBy: Self.end)
        try #require(rest.count == 2, "docs/reference/authorization.md lacks \(Self.end)")
        (before, after) = (parts[0], rest[1])
        let all = rest[0].split(separator: "\n")
        head = all.prefix { MatrixKey(line: $0) == nil }.map(String.init)
        lines = all.dropFirst(head.count).compactMap { line in MatrixKey(line: line).map { ($0, String(line)) } }
        try #require(head.count + lines.count == all.count, "docs/reference/authorization.md: a line names no route")
    }

    /// Expects exactly these lines about those ways.
    static func expect(_ lines: [String], of keys: Set<MatrixKey>) throws {
        try turn.withLock { _ in
            let document = try AuthorizationDocument()
            let old = document.lines.filter { keys.contains($0.key) }.map(\.text)
            guard old != lines else { return }
            if ProcessInfo.processInfo.environment["VESTIBULE_WRITE_REFERENCES"] != nil {
                try document.write(lines, of: keys)
                return
            }
            let differing = Set(lines).symmetricDifference(old).sorted().joined(separator: "\n")
            Issue.record(
                "docs/reference/authorization.md is not what the routes answer; scripts/references.sh writes it:\n\(differing)"
            )
        }
    }

    private func write(_ new: [String], of keys: Set<MatrixKey>) throws {
        let others = lines.filter { !keys.contains($0.key) }
        let all = others + new.compactMap { line in MatrixKey(line: Substring(line)).map { ($0, line) } }
        let table = AuthorizationTable.head + all.sorted { $0.key < $1.key }.map(\.text)
        try (before + Self.begin + table.joined(separator: "\n") + Self.end + after)
            .write(to: Self.file, atomically: true, encoding: .utf8)
    }
}
