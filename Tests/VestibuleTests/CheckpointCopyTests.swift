import Foundation
import Testing

@testable import Admin

/// A copy of the checkpoints that is larger than a request to the daemon.
struct CheckpointCopyTests {
    private let text = "aaaa\nbbbb\n\ncccc\n"

    @Test(arguments: [(0, [], 3), (15, ["cccc"], 2), (16, ["bbbb", "cccc"], 1), (24, ["aaaa", "bbbb", "cccc"], 0)])
    func `the newest lines that fit are used, and the others are counted`(
        _ limit: Int,
        _ lines: [String],
        _ leftOut: Int
    ) {
        let copy = CheckpointCopy(text, limit: limit)
        #expect(copy.lines == lines && copy.leftOut == leftOut)
    }

    @Test func `of forty thousand long lines the newest twelve mebibytes are used`() {
        let copy = CheckpointCopy(String(repeating: String(repeating: "x", count: 400) + "\n", count: 40_000))
        #expect(copy.lines.count == 31_145 && copy.leftOut == 8855)
    }

    @Test func `a copy that was not used whole is said to be so, and one that was is not`() throws {
        #expect(
            try view(used: 31_145, leftOut: 8855).summary.dropFirst().first?.hasPrefix(
                "Only the newest 31145 of 40000 line(s)"
            ) == true
        )
        #expect(try view(used: 40_000, leftOut: 0).summary.dropFirst() == ["The audit is sound."])
        #expect(try view(used: nil, leftOut: nil).summary.dropFirst() == ["The audit is sound."])
    }

    /// A reply as the daemon sends it.
    private func view(used: Int?, leftOut: Int?) throws -> AuditView {
        var json = #"{"isSound":true,"finding":"sound","message":"The audit is sound.","firstRow":0,"lastRow":0,"#
        json += #""checkpoints":0,"uncoveredRows":0"#
        if let used, let leftOut { json += #","copyLines":\#(used),"copyLinesLeftOut":\#(leftOut)"# }
        return try JSONDecoder().decode(AuditView.self, from: Data((json + "}").utf8))
    }
}
