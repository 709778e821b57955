import Admin
import FoundationEssentials
import Kernel

extension ConsoleContent.Body {
    /// Creates what a reply shows: a table, named values, or lines.
    ///
    /// - Parameters:
    ///   - outcome: The reply.
    ///   - caption: The table's caption.
    ///   - link: Returns the address behind a cell, by its column's title and its text.
    ///   - next: The address of the next page.
    init(
        _ outcome: CommandOutcome,
        caption: String,
        link: (_ title: String, _ value: String) -> String? = { _, _ in nil },
        next: String? = nil
    ) {
        if let found = outcome.table {
            self.init(table: .init(found, caption: caption, link: link, next: next))
        } else if let pairs = Self.pairs(outcome.lines) {
            self.init(pairs: .init(all: pairs.map { .init($0, $1, href: link($0.uppercased(), $1)) }))
        } else {
            self.init(lines: outcome.lines.joined(separator: "\n"))
        }
    }

    /// Returns the named values of lines like `state: pending`, or of a JSON object; `nil` for other text.
    private static func pairs(_ lines: [String]) -> [(String, String)]? {
        if lines.first?.hasPrefix("{") == true { return members(lines.joined(separator: "\n")) }
        let pairs = lines.compactMap { line -> (String, String)? in
            guard let colon = line.firstRange(of: ": "), colon.lowerBound > line.startIndex else { return nil }
            return (String(line[..<colon.lowerBound]), String(line[colon.upperBound...]))
        }
        return pairs.count == lines.count && pairs.count > 1 ? pairs : nil
    }

    private static func members(_ json: String) -> [(String, String)]? {
        guard case .object(let members)? = try? JSONDecoder().decode(JSONText.self, from: Data(json.utf8)) else {
            return nil
        }
        return members.sorted { $0.key < $1.key }.map { (words(of: $0.key), $0.value.words(of: $0.key)) }
    }

    /// Returns a member's name as words, like `has password`.
    private static func words(of key: String) -> String {
        key.reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : "\($1)" }
    }
}

extension ConsoleContent.Table {
    init(_ table: ReplyTable, caption: String, link: (String, String) -> String?, next: String? = nil) {
        self.init(
            caption: caption,
            titles: table.titles.map { $0.lowercased() },
            rows: table.rows.map { row in
                .init(
                    cells: zip(table.titles, row).map { title, value in
                        .init(value, in: title.lowercased(), href: link(title, value))
                    }
                )
            },
            next: next
        )
    }
}

/// A JSON value for people.
private enum JSONText: Decodable {
    case object([String: JSONText])
    case list([JSONText])
    case word(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let members = try? container.decode([String: JSONText].self) {
            self = .object(members)
        } else if let items = try? container.decode([JSONText].self) {
            self = .list(items)
        } else if let flag = try? container.decode(Bool.self) {
            self = .word(flag ? "yes" : "no")
        } else if let number = try? container.decode(Int64.self) {
            self = .word(String(number))
        } else {
            self = .word((try? container.decode(String.self)) ?? "-")
        }
    }

    /// Returns the value of the member of that name.
    ///
    /// Members like `createdAt` are times, in milliseconds since 1970.
    func words(of key: String) -> String {
        guard key.hasSuffix("At"), case .word(let word) = self, let milliseconds = Int64(word) else { return words }
        return Instant(milliseconds: milliseconds).internetDate
    }

    private var words: String {
        switch self {
        case .word(let word): word
        case .list(let items): items.isEmpty ? "-" : items.map(\.words).joined(separator: ", ")
        case .object(let members):
            members.isEmpty
                ? "-"
                : members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.words)" }.joined(separator: ", ")
        }
    }
}
