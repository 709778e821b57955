import Foundation
import Testing

/// A page of docs/reference, which a test holds to what the program prints.
struct ReferencePage {
    /// The folder of the repository.
    static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    /// Whether pages are written instead of compared: scripts/references.sh asks for that.
    static let isWriting = ProcessInfo.processInfo.environment["VESTIBULE_WRITE_REFERENCES"] != nil

    let name: String
    let title: String
    /// The part of the program that says what is on the page.
    let source: String
    let body: String

    private var path: String { "docs/reference/\(name)" }

    private var text: String {
        "<!-- Printed by scripts/references.sh from \(source); do not edit. -->\n\n# \(title)\n\n\(body)"
    }

    /// Fails where the file is not the page; writes it in its place where pages are written.
    func hold() throws {
        let file = Self.root.appending(path: path)
        let written = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        guard written != text else { return }
        guard !Self.isWriting else { return try text.write(to: file, atomically: true, encoding: .utf8) }
        Issue.record(
            "\(path) is not what the program prints; scripts/references.sh writes it.\n\(difference(from: written))"
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

/// The parts of a page.
enum Markdown {
    static func table(_ head: [String], _ rows: [[String]]) -> String {
        ([head, head.map { _ in "---" }] + rows).map(line).joined()
    }

    static func code(_ text: String) -> String { "`\(text)`" }

    private static func line(_ cells: [String]) -> String {
        "| " + cells.map { $0.replacing("|", with: "\\|").replacing("\n", with: " ") }.joined(separator: " | ") + " |\n"
    }
}
