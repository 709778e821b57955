import ArgumentParser
import Foundation
import Kernel
import MemoryStore
import Synchronization
import Testing

@testable import Admin
@testable import Vestibule

/// What `vestibule nodes` says of the daemons that share a database.
struct NodeCommandTests {
    private func node(
        _ slot: Int,
        lease: NodeLease = .held(for: .milliseconds(2480)),
        adopter: Int? = nil,
        isDraining: Bool = false,
        servingSince: Int64? = 2000,
        config: String = "a",
        key: String = "k"
    ) -> NodeRecord {
        NodeRecord(
            name: NodeName(slot: slot),
            description: NodeDescription(version: "0.1.0", config: config, encryptionKey: key),
            startedAt: Instant(milliseconds: 1000),
            servingSince: servingSince.map { Instant(milliseconds: $0) },
            lease: lease,
            adopter: adopter.map { NodeName(slot: $0) },
            isDraining: isDraining,
            liveOperations: slot
        )
    }

    @Test func `a list says who is asked, who leads, whose lease is over since when, and who took over`() {
        let nodes = [
            node(0, lease: .over(since: .milliseconds(35_040)), adopter: 2), node(1, lease: .ended),
            node(2), node(3, isDraining: true), node(4, servingSince: nil),
        ]
        let views = NodeView.views(of: nodes, asked: NodeName(slot: 3))
        #expect(views.map(\.state) == ["stopped", "stopped", "serving", "draining", "starting"])
        #expect(views.map(\.isLeader) == [false, false, true, false, false])
        #expect(views.map { $0.cells[0] } == ["local", "node-1", "node-2", "node-3 *", "node-4"])
        #expect(views.map { $0.cells[3] } == ["over 35.0 s", "ended", "held 2.4 s", "held 2.4 s", "held 2.4 s"])
        #expect(views.map { $0.cells[4] } == ["node-2", "-", "-", "-", "-"])
        #expect(views.map { $0.cells[5] } == ["0", "1", "2", "3", "4"])
        #expect(views.allSatisfy { $0.cells.count == NodeView.titles.count })
    }

    @Test func `the one daemon whose settings or key differ from most others' is the one that differs`() {
        let nodes = [
            node(0, config: "b"), node(1), node(2, key: "other"), node(3, lease: .ended, config: "c"),
        ]
        let views = NodeView.views(of: nodes, asked: .first)
        #expect(views.map { $0.cells[6] } == ["differs", "same", "same", "-"])
        #expect(views.map { $0.cells[7] } == ["same", "same", "differs", "-"])
        let tied = NodeView.views(of: [node(0, config: "b"), node(1)], asked: .first)
        #expect(tied.map { $0.cells[6] } == ["same", "differs"], "of two the leader's counts")
    }

    @Test func `only the last daemon that serves needs --last, and one that does not run can't be drained`() throws {
        let nodes = [node(0), node(1, lease: .ended), node(2, isDraining: true), node(3, servingSince: nil)]
        let (first, stopped, drained) = (NodeName.first, NodeName(slot: 1), NodeName(slot: 2))
        #expect(throws: NodeError.last) { try nodes.checkDraining(true, of: first, isLastAllowed: false) }
        try nodes.checkDraining(true, of: first, isLastAllowed: true)
        try nodes.checkDraining(true, of: drained, isLastAllowed: false)
        try nodes.checkDraining(false, of: drained, isLastAllowed: false)
        #expect(throws: NodeError.stopped) { try nodes.checkDraining(true, of: stopped, isLastAllowed: true) }
        #expect(throws: NodeError.notFound) {
            try nodes.checkDraining(true, of: NodeName(slot: 9), isLastAllowed: true)
        }
        try (nodes + [node(4)]).checkDraining(true, of: first, isLastAllowed: false)
    }

    @Test func `each refusal has a code of its own and names the daemon`() {
        let refusals = [NodeError.notFound, .stopped, .last].map { AdminError($0, of: "node-7") }
        #expect(refusals.map(\.code) == ["node_not_found", "node_stopped", "node_last"])
        #expect(refusals.allSatisfy { $0.message.contains("node-7") })
    }

    @Test func `the only daemon of a database is listed, and drained only with --last`() async throws {
        let time = Mutex(Instant(milliseconds: 0))
        let node = LocalNode(NodeDescription(version: "0.1.0", config: "", encryptionKey: "")) {
            time.withLock { now in
                now = now + .seconds(1)
                return now
            }
        }
        node.noteServing()
        node.noteServing()
        let cells = NodeView.views(of: node.list(), asked: node.node).map(\.cells)
        let (started, serving) = (Rendering.time(1000), Rendering.time(2000))
        #expect(
            cells == [["local *", "serving", "yes", "held", "-", "-", "same", "same", "0.1.0", started, serving]]
        )
        let disk = MemoryDisk().open()
        func drain(_ isDraining: Bool, isLastAllowed: Bool = false) async throws -> Bool {
            try await disk.unitOfWork.run { transaction in
                try node.setDraining(isDraining, of: .first, isLastAllowed: isLastAllowed, in: transaction)
            }
        }
        await #expect(throws: NodeError.last) { try await drain(true) }
        #expect(!node.peers.isDraining)
        #expect(try await drain(true, isLastAllowed: true))
        #expect(node.peers.isDraining)
        #expect(try await !drain(true), "it is no change")
        #expect(try await drain(false))
        #expect(!node.peers.isDraining)
    }

    @Test func `the commands need a daemon that runs, and say so`() async throws {
        let asking = [
            "listExchanges", "pingProvider", "pauseProvider", "resumeProvider", "previewPause", "listNodes",
            "drainNode", "showStatus", "listSettings",
        ]
        #expect(AdminTable.all.filter { $0.needsDaemon }.map { $0.name } == asking)
        let folder = FileManager.default.temporaryDirectory.appending(path: "vsn-\(UUID().uuidString)").path()
        let client = AdminClient(
            options: try SettingsOptions.parse(["--data", folder]),
            environment: .system,
            variables: [:]
        )
        await #expect(throws: DataFolder.FolderError.self) { _ = try await client.send(ListNodes()) }
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let exit = await #expect(throws: ExitError.self) { _ = try await client.send(ListNodes()) }
        #expect(exit?.code == 69 && exit?.message.contains(folder) == true, "\(String(describing: exit))")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
}
