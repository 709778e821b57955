import Kernel

extension AuditChain {
    /// Returns the name of a lane's chain.
    func name(ofLane lane: Int) -> String { lane == 0 ? node : "\(node).\(lane)" }

    /// Returns the lane of a chain's name, whichever node's it is.
    package static func lane(of name: String) -> Int? {
        guard let stop = name.lastIndex(of: ".") else { return 0 }
        return Int(name[name.index(after: stop)...])
    }

    /// Whether the chain is one of this node's.
    func owns(_ name: String) -> Bool { name == node || name.hasPrefix(node + ".") }

    /// Returns the chain's name for a message; `nil` for the chain with the node's own name, which needs none.
    func label(of name: String) -> String? { name == node ? nil : name }

    /// Returns the names of the node's chains in the order of their lanes.
    ///
    /// These are the node's own name, every chain that has rows, also one of an earlier and larger pool of
    /// connections, and `others`: chains whose rows may all have been deleted.
    func names(and others: [String] = []) async throws -> [String] {
        inOrder(of: try await store.chains(of: node), and: others)
    }

    /// Returns the same names in a unit of work.
    func names(and others: [String], in transaction: borrowing Transaction) throws -> [String] {
        inOrder(of: try store.chains(of: node, in: transaction), and: others)
    }

    private func inOrder(of names: [String], and others: [String]) -> [String] {
        // A name with more characters has a greater number.
        Set([node]).union(names).union(others).sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    }

    /// Returns the newest rows of all chains, the last first.
    ///
    /// Rows of one chain keep their order. Of two chains the row with the later time comes first, and of two rows of
    /// the same time the one of the lower lane.
    package func newest(_ limit: Int) async throws -> [AuditRow] {
        var chains: [ArraySlice<AuditRow>] = []
        for name in try await names() { chains.append(try await store.newest(of: name, limit: limit)[...]) }
        var rows: [AuditRow] = []
        while rows.count < limit {
            var next: Int?
            for (lane, chain) in chains.enumerated() {
                guard let row = chain.first else { continue }
                guard let best = next.flatMap({ chains[$0].first }), best.entry.at >= row.entry.at else {
                    next = lane
                    continue
                }
            }
            guard let next, let row = chains[next].popFirst() else { break }
            rows.append(row)
        }
        return rows
    }
}
