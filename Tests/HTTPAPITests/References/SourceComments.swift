import Foundation
import ReferencePages
import Testing

/// A doc comment by its paragraphs.
struct DocComment {
    private let paragraphs: [String]

    /// `lines`: The lines without their slashes.
    init(_ lines: [String]) {
        paragraphs = lines.split(separator: "").map { $0.joined(separator: " ").replacing("``", with: "`") }
    }

    /// The paragraph that it begins with; `nil` where there is no comment.
    var summary: String? { paragraphs.first }

    /// The paragraph that begins with the label and a colon, without them; `nil` where there is none.
    func paragraph(_ label: String) -> String? {
        paragraphs.first { $0.hasPrefix(label + ": ") }.map { String($0.dropFirst(label.count + 2)) }
    }
}

/// A line of the sources that is no comment, with the doc comment right above it.
struct SourceLine {
    let text: String
    let comment: DocComment
}

/// The sources of the program: their comments say what no value of the program does.
enum SourceComments {
    /// Each file by its lines.
    static let files: [[SourceLine]] = {
        let folder = ReferencePage.root.appending(path: "Sources")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let paths = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }.map(\.path).sorted()
        return paths.compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }.map(lines)
    }()

    /// The cases of an enum with their comments, in order.
    static func cases<Value>(of type: Value.Type) throws -> [(value: Value, comment: DocComment)]
    where Value: CaseIterable & RawRepresentable<String> {
        let name = "\(type)"
        let file = try #require(files.first { $0.contains { $0.text.contains("enum \(name):") } }, "no enum \(name)")
        let cases = cases(ofEnum: name, in: file)
        try #require(cases.map(\.value) == Value.allCases.map(\.rawValue), "a case of \(name) can't be read")
        return zip(Value.allCases, cases).map { ($0, $1.comment) }
    }

    /// The raw values of an enum of texts with their comments, in order.
    static func cases(ofEnum name: String, in file: [SourceLine]) -> [(value: String, comment: DocComment)] {
        let body = file.drop { !$0.text.contains("enum \(name):") }.dropFirst()
        return body.prefix { $0.text.hasPrefix("case ") }.compactMap { line in
            line.text.wholeMatch(of: /case (\w+)(?: = "([^"]+)")?/).map {
                (String($0.2 ?? $0.1), line.comment)
            }
        }
    }

    private static func lines(of text: String) -> [SourceLine] {
        var lines: [SourceLine] = []
        var comment: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = line.drop { $0 == " " }
            if line.hasPrefix("///") {
                comment.append(String(line.dropFirst(3).drop { $0 == " " }))
                continue
            }
            if !line.isEmpty, !line.hasPrefix("//") {
                lines.append(SourceLine(text: String(line), comment: DocComment(comment)))
            }
            comment = []
        }
        return lines
    }
}
