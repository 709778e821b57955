import Foundation
import Operations
import Testing

/// docs/operations.mermaid and ``OperationMachine`` say the same.
@Suite struct DiagramTests {
    @Test func `the drawing has the edges of the machine, and no others`() throws {
        let drawn = try Self.drawnEdges()
        let walked = MachineWalk.edges
        #expect(walked.subtracting(drawn).sorted() == [], "edges that are not drawn")
        #expect(drawn.subtracting(walked).sorted() == [], "edges that the machine does not have")
        #expect(walked.count > 20)
    }

    @Test func `every line of the drawing can be read`() throws {
        var states: Set<OperationState.Name> = []
        var events: Set<OperationEvent.Name> = []
        for edge in try Self.drawnEdges() {
            states.formUnion([edge.from, edge.to])
            events.insert(edge.event)
        }
        #expect(states == Set(OperationState.Name.allCases))
        #expect(events == Set(OperationEvent.Name.allCases))
        let ends = try Self.lines().filter { $0.hasSuffix("--> [*]") }.map { $0.prefix { $0 != " " } }
        #expect(Set(ends.map(String.init)) == Set(OperationState.Name.allCases.filter(\.isTerminal).map(\.rawValue)))
    }

    private static func lines() throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/operations.mermaid"), encoding: .utf8)
        return text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("%%") }
    }

    private static func drawnEdges() throws -> Set<MachineWalk.Edge> {
        let lines = try lines()
        try #require(lines.first == "stateDiagram-v2")
        var edges: Set<MachineWalk.Edge> = []
        for line in lines.dropFirst() where !line.hasPrefix("direction ") && !line.contains("[*]") {
            let words = line.split(separator: " ").map(String.init)
            try #require(words.count == 5 && words[1] == "-->" && words[3] == ":", "line: \(line)")
            let edge = MachineWalk.Edge(
                from: try #require(OperationState.Name(rawValue: words[0]), "line: \(line)"),
                event: try #require(OperationEvent.Name(rawValue: words[4]), "line: \(line)"),
                to: try #require(OperationState.Name(rawValue: words[2]), "line: \(line)")
            )
            #expect(edges.insert(edge).inserted, "drawn twice: \(line)")
        }
        return edges
    }
}
