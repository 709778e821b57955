import FoundationEssentials
import Kernel

/// A part of a reply that is printed as a row of a table.
package protocol TableRow {
    static var titles: [String] { get }
    /// The cells, one for each title.
    var cells: [String] { get }
    /// The text of `--after` for the rows behind it, in a list that has pages.
    var cursor: String { get }
}

extension TableRow {
    package var cursor: String { cells.first ?? "" }
}

/// A reply that is a table.
package struct ReplyTable: Sendable, Equatable {
    package let titles: [String]
    /// The rows' cells, one for each title.
    package let rows: [[String]]
    /// The ``TableRow/cursor`` of the last row.
    package let last: String?

    package init(titles: [String], rows: [[String]], last: String? = nil) {
        self.titles = titles
        self.rows = rows
        self.last = last
    }
}

/// Writes replies: tables for people, JSON for scripts.
package enum Rendering {
    /// Returns JSON on several lines, or on one.
    package static func json(_ value: some Encodable, onOneLine: Bool = false) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if !onOneLine { encoder.outputFormatting.insert(.prettyPrinted) }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Returns columns with their titles, each as wide as its longest cell.
    package static func table<Row: TableRow>(_ rows: [Row]) -> [String] {
        let rows = [Row.titles] + rows.map(\.cells)
        let widths = Row.titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    package static func time(_ milliseconds: Int64?) -> String {
        milliseconds.map { Instant(milliseconds: $0).internetDate } ?? "-"
    }
}
