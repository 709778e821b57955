import Kernel

/// A daemon among those that share the database.
package struct NodeView: Codable, Sendable, Equatable, TableRow {
    let name: String
    /// Whether it is the daemon that was asked.
    let isAsked: Bool
    /// `starting`, `serving`, `draining`, or `stopped` when its lease is over.
    let state: String
    /// Whether it does what only one of the daemons needs to do.
    let isLeader: Bool
    let lease: Lease
    /// The number of live operations that it wrote last; `nil` with SQLite.
    let liveOperations: Int?
    let process: Process
    let agreement: Agreement

    /// The lease, without which other daemons may follow its operations.
    struct Lease: Codable, Sendable, Equatable {
        /// `held`, `over`, or `ended` by a stop in order.
        let state: String
        /// Until it ends while it is held, since its end while it is over; `nil` for a lease without an end.
        let milliseconds: Int64?
        /// The daemon that follows its operations.
        let adoptedBy: String?
    }

    struct Process: Codable, Sendable, Equatable {
        let version: String
        /// Milliseconds since 1970, by the database's clock.
        let startedAt: Int64
        /// The time since which it accepts requests.
        let servingSince: Int64?
    }

    /// What has to be the same in all daemons that run.
    struct Agreement: Codable, Sendable, Equatable {
        /// A digest of the settings.
        let config: String
        /// Whether most others have them too; `nil` for a stopped daemon.
        let hasSameConfig: Bool?
        /// The public name of the key that encrypts rows.
        let encryptionKey: String
        let hasSameEncryptionKey: Bool?
    }

    package static let titles = [
        "NAME", "STATE", "LEADER", "LEASE", "ADOPTED BY", "OPERATIONS", "CONFIG", "KEY", "VERSION", "STARTED",
        "SERVING SINCE",
    ]

    package var cells: [String] {
        [
            isAsked ? "\(name) *" : name, state, isLeader ? "yes" : "-", lease.text, lease.adoptedBy ?? "-",
            liveOperations.map { "\($0)" } ?? "-", Self.word(agreement.hasSameConfig),
            Self.word(agreement.hasSameEncryptionKey), process.version.isEmpty ? "-" : process.version,
            Rendering.time(process.startedAt == 0 ? nil : process.startedAt), Rendering.time(process.servingSince),
        ]
    }

    private static func word(_ isSame: Bool?) -> String { isSame.map { $0 ? "same" : "differs" } ?? "-" }
}

extension NodeView {
    static func views(of nodes: [NodeRecord], asked: NodeName) -> [NodeView] {
        let (live, leader) = (nodes.filter(\.isLive), nodes.leader)
        let config = mostCommon(live.map(\.description.config))
        let key = mostCommon(live.map(\.description.encryptionKey))
        return nodes.map { node in
            NodeView(
                name: node.name.text,
                isAsked: node.name == asked,
                state: !node.isLive
                    ? "stopped" : node.isDraining ? "draining" : node.servingSince == nil ? "starting" : "serving",
                isLeader: node.name == leader,
                lease: Lease(node),
                liveOperations: node.liveOperations,
                process: Process(
                    version: node.description.version,
                    startedAt: node.startedAt.milliseconds,
                    servingSince: node.servingSince?.milliseconds
                ),
                agreement: Agreement(
                    config: node.description.config,
                    hasSameConfig: node.isLive ? node.description.config == config : nil,
                    encryptionKey: node.description.encryptionKey,
                    hasSameEncryptionKey: node.isLive ? node.description.encryptionKey == key : nil
                )
            )
        }
    }

    /// Returns the value that most daemons have, of several the first daemon's.
    private static func mostCommon(_ values: [String]) -> String? {
        let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
        let most = counts.values.max()
        return values.first { counts[$0] == most }
    }
}

extension NodeView.Lease {
    init(_ node: NodeRecord) {
        let adopter = node.adopter?.text
        switch node.lease {
        case .unlimited: self.init(state: "held", milliseconds: nil, adoptedBy: adopter)
        case .held(let left): self.init(state: "held", milliseconds: left.wholeMilliseconds, adoptedBy: adopter)
        case .over(let time): self.init(state: "over", milliseconds: time.wholeMilliseconds, adoptedBy: adopter)
        case .ended: self.init(state: "ended", milliseconds: nil, adoptedBy: adopter)
        }
    }

    /// The state with its time in seconds, like `held 2.4 s`.
    fileprivate var text: String {
        guard let milliseconds else { return state }
        let tenths = milliseconds / 100
        return "\(state) \(tenths / 10).\(tenths % 10) s"
    }
}
