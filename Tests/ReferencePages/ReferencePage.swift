package import Foundation

/// A page of docs/reference, which a test holds to what the program prints.
package struct ReferencePage {
    /// The folder of the repository.
    package static let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    /// Whether pages are written instead of compared: scripts/references.sh asks for that.
    private static let isWriting = ProcessInfo.processInfo.environment["VESTIBULE_WRITE_REFERENCES"] != nil

    private let name: String
    private let title: String
    private let source: String
    private let body: String

    /// `source`: the part of the program that says what is on the page.
    package init(name: String, title: String, source: String, body: String) {
        self.name = name
        self.title = title
        self.source = source
        self.body = body
    }

    private var path: String { "docs/reference/\(name)" }

    private var text: String {
        "<!-- Printed by scripts/references.sh from \(source); do not edit. -->\n\n# \(title)\n\n\(body)"
    }

    /// Writes the page in the file's place where pages are written.
    ///
    /// - Throws: ``StalePageError`` where the file is not the page.
    package func hold() throws {
        let file = Self.root.appending(path: path)
        let written = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        guard written != text else { return }
        guard !Self.isWriting else { return try text.write(to: file, atomically: true, encoding: .utf8) }
        throw StalePageError(
            description: "\(path) is not what the program prints; scripts/references.sh writes it.\n"
                + difference(from: written)
        )
    }

    /// The first line of the page that the file has otherwise.
    private func difference(from written: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let others = written.split(separator: "\n", omittingEmptySubsequences: false)
        let first = zip(lines, others).prefix { $0 == $1 }.count
        func line(_ lines: [Substring]) -> Substring { first < lines.count ? lines[first] : "(the end)" }
        return "Line \(first + 1) is\n\(line(others))\nand is to be\n\(line(lines))"
    }
}

/// A page of docs/reference that is not what the program prints.
package struct StalePageError: Error, CustomStringConvertible {
    package let description: String
}

/// The parts of a page.
package enum Markdown {
    package static func table(_ head: [String], _ rows: [[String]]) -> String {
        ([head, head.map { _ in "---" }] + rows).map(line).joined()
    }

    package static func code(_ text: String) -> String { "`\(text)`" }

    private static func line(_ cells: [String]) -> String {
        "| " + cells.map { $0.replacing("|", with: "\\|").replacing("\n", with: " ") }.joined(separator: " | ") + " |\n"
    }
}
