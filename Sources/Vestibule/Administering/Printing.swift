import FoundationEssentials
import HTTPAPI
import Kernel

/// Prints what the daemon answered: a table for people, JSON for scripts.
enum Printing {
    static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// One object on one line, written at once.
    static func jsonLine(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        StandardOutput.print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Columns under their titles, as wide as their longest cell.
    static func table(_ titles: [String], _ rows: [[String]]) {
        let widths = titles.indices.map { column in
            ([titles] + rows).map { $0[column].count }.max() ?? 0
        }
        for row in [titles] + rows {
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            print(trimmed(cells.joined(separator: "  ")))
        }
    }

    static func time(_ milliseconds: Int64?) -> String {
        milliseconds.map { Instant(milliseconds: $0).internetDate } ?? "-"
    }

    private static func trimmed(_ line: String) -> String {
        var line = line[...]
        while line.last == " " { line.removeLast() }
        return String(line)
    }
}

extension AdminReply.AccountView {
    static let titles = ["ID", "STATE", "NAME", "E-MAIL", "ROLE", "ENROLLED"]

    var cells: [String] {
        [
            id, state, name, emails.first ?? username ?? "-", attributes["role"] ?? "user",
            enrolments.isEmpty ? "-" : enrolments.map { String($0.prefix { $0 != ":" }) }.joined(separator: ","),
        ]
    }
}

extension AdminReply.OperationView {
    static let titles = ["ROW", "CREATED", "STATE", "CODE", "CLIENT", "PROVIDER", "ACCOUNT"]

    var cells: [String] {
        [
            row, Printing.time(createdAt), state, failure ?? "-", client, provider, account ?? "(decoy)",
        ]
    }
}

extension AdminReply.DeviceView {
    static let titles = ["ID", "CLIENT", "NAME", "PLATFORM", "KEY", "REGISTERED", "LAST USED"]

    var cells: [String] {
        [
            id, client, name.isEmpty ? "-" : name, platform ?? "-", hasKey ? "yes" : "no", Printing.time(createdAt),
            Printing.time(lastUsedAt),
        ]
    }
}

extension AdminReply.KeyView {
    static let titles = ["KID", "ALGORITHM", "USE", "STATE", "SINCE", "CREATED", "VERIFIES UNTIL"]

    var cells: [String] {
        [
            kid, algorithm, use, state, Printing.time(since), Printing.time(createdAt), Printing.time(verifiesUntil),
        ]
    }
}
