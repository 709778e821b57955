/// Reads accounts from comma-separated text (RFC 4180): a header line, then one line for each account.
///
/// Columns: `email`, `name`, `provider`, `providerAccount`, and any attribute by its name. All errors are reported at
/// once.
package enum AccountImport {
    /// The account of one line.
    package struct Line: Sendable, Equatable {
        package let number: Int
        package let account: NewAccount
    }

    package static func parse(_ text: String) throws(AccountImportErrors) -> [Line] {
        let rows: [Row]
        do throws(AccountError) { rows = try Self.rows(of: text) } catch { throw AccountImportErrors(faults: [error]) }
        guard let header = rows.first?.fields else {
            throw AccountImportErrors(faults: [.badImport(line: 1, reason: "the file is empty. Write a header line.")])
        }
        if let reason = fault(in: header) { throw AccountImportErrors(faults: [.badImport(line: 1, reason: reason)]) }
        var lines: [Line] = []
        var faults: [AccountError] = []
        for row in rows.dropFirst() where row.fields != [""] {
            do throws(AccountError) { lines.append(try line(row, header)) } catch { faults.append(error) }
        }
        guard faults.isEmpty else { throw AccountImportErrors(faults: faults) }
        return lines
    }

    private static func fault(in header: [String]) -> String? {
        guard header.contains("email") || header.contains("name") else {
            return "the header names neither email nor name."
        }
        return header.first { name in header.count { $0 == name } > 1 }.map { "the header names “\($0)” twice." }
    }

    private static func line(_ row: Row, _ header: [String]) throws(AccountError) -> Line {
        guard row.fields.count == header.count else {
            throw .badImport(
                line: row.number,
                reason: "\(row.fields.count) fields where the header has \(header.count)."
            )
        }
        let cells = Dictionary(zip(header, row.fields)) { first, _ in first }.filter { !$0.value.isEmpty }
        let known: Set<String> = ["email", "name", "provider", "providerAccount"]
        let words = cells.filter { !known.contains($0.key) }.map { "\($0.key)=\($0.value)" }
        let attributes: AccountAttributes
        do throws(AccountError) { attributes = try AccountAttributes(parsing: words.sorted()) } catch {
            throw .badImport(line: row.number, reason: error.message)
        }
        if let email = cells["email"], EmailAddress(email) == nil {
            throw .badImport(line: row.number, reason: AccountError.badEmail(email).message)
        }
        guard let name = cells["name"] ?? cells["email"] else {
            throw .badImport(line: row.number, reason: "neither email nor name is given.")
        }
        guard cells["providerAccount"] == nil || cells["provider"] != nil else {
            throw .badImport(line: row.number, reason: "providerAccount needs a provider.")
        }
        return Line(
            number: row.number,
            account: NewAccount(
                email: cells["email"],
                name: name,
                attributes: attributes,
                enroll: cells["provider"],
                providerAccount: cells["providerAccount"]
            )
        )
    }

    private struct Row {
        let number: Int
        var fields: [String]
    }

    private static func rows(of text: String) throws(AccountError) -> [Row] {
        var rows: [Row] = []
        var field = ""
        var fields: [String] = []
        var isQuoted = false
        var number = 1
        var start = 1
        // Spreadsheets put a byte order mark before the first name.
        var characters = text.trimmingPrefix("\u{FEFF}").makeIterator()
        var next = characters.next()
        while let character = next {
            next = characters.next()
            if isQuoted {
                if character == "\"", next == "\"" {
                    field.append(character)
                    next = characters.next()
                } else if character == "\"" {
                    isQuoted = false
                } else {
                    if character.isNewline { number += 1 }
                    field.append(character)
                }
            } else if character == "\"", field.isEmpty {
                isQuoted = true
            } else if character == "," {
                fields.append(field)
                field = ""
            } else if character.isNewline {
                rows.append(Row(number: start, fields: fields + [field]))
                (field, fields) = ("", [])
                number += 1
                start = number
            } else {
                field.append(character)
            }
        }
        guard !isQuoted else { throw .badImport(line: start, reason: "a quote is opened and never closed.") }
        if !field.isEmpty || !fields.isEmpty { rows.append(Row(number: start, fields: fields + [field])) }
        return rows
    }
}

/// All errors of an import.
package struct AccountImportErrors: Error, Equatable, Sendable {
    package let faults: [AccountError]
}
