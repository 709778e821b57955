import HTTPAPI

/// The matrix as docs/authorization.md has it.
enum AuthorizationTable {
    /// One row a route; routes that are there with and without `/api`, and answer alike, share one.
    static func text(_ rows: [MatrixRow]) -> String {
        let columns = MatrixColumn.allCases.map(\.rawValue)
        var lines = [
            line(["route", "needs one of", "heeds", "tokens", "signed in"] + columns),
            line(Array(repeating: "---", count: 5 + columns.count)),
        ]
        for (name, group) in grouped(rows) {
            let first = group[0]
            let isOne = group.allSatisfy { $0.texts == first.texts && $0.access == first.access }
            for row in isOne ? [first] : group {
                let label = isOne && group.count > 1 ? name : "\(row.method) \(row.template)"
                let way = row.variant.isEmpty ? "" : " " + row.variant
                lines.append(line(["`\(label)`\(way)"] + declaration(row.access) + row.texts))
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func grouped(_ rows: [MatrixRow]) -> [(name: String, rows: [MatrixRow])] {
        let sorted = rows.sorted { key($0) < key($1) }
        var groups: [(name: String, rows: [MatrixRow])] = []
        for row in sorted {
            let name = "\(row.method) [/api]\(bare(row.template))"
            if groups.last?.name == name, groups.last?.rows.last?.variant == row.variant {
                groups[groups.count - 1].rows.append(row)
            } else {
                groups.append((name, [row]))
            }
        }
        return groups
    }

    private static func key(_ row: MatrixRow) -> (String, String, String, String) {
        (bare(row.template), row.method, row.variant, row.template)
    }

    private static func bare(_ template: String) -> String {
        template.hasPrefix("/api/") ? String(template.dropFirst(4)) : template
    }

    private static func declaration(_ access: Access) -> [String] {
        [list(access.needed), list(access.heeded), tokens(access), recency(access)]
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
