import Dispatch
import Kernel
import Synchronization

extension AuditCheckpoints {
    /// Signs a checkpoint of the node's own empty chain, and then writes that chain's first row, which counts it.
    ///
    /// The checkpoint is durable before the row, so a crash between the two does not look like deleted rows. Later, the
    /// first row proves that the checkpoint existed.
    ///
    /// Of several daemons that begin at once one signs, and each goes on when the first row exists.
    func signEmptyChain() async throws {
        let isEmpty = try await unitOfWork.run { [chain] transaction in
            try chain.store.chains(of: chain.node, in: transaction).isEmpty
        }
        _ = try await queue.waiting { [log] in try log.size() }
        guard isEmpty, try await queue.waiting(for: { [self] in try beginLog() }) else { return }
        let now = chain.now()
        try await unitOfWork.run { [chain] transaction in
            guard try chain.store.head(of: chain.node, in: transaction) == nil else { return }
            try chain.append(AuditSigning.beginning(of: chain.node, at: now), to: chain.node, in: transaction)
        }
    }

    /// Signs the checkpoint of the empty chain, unless the log has a line.
    ///
    /// - Returns: Whether that checkpoint is the only one. A crash came before the first row of the chain, or another
    ///   daemon is about to write it.
    private func beginLog() throws -> Bool {
        for _ in 0..<Self.tries {
            let size = try log.size()
            let lines = try log.lines()
            guard lines.count < 2 else { return false }
            if let line = lines.first { return signing.read(line)?.isOfEmptyChain == true }
            let line = try signing.sign(AuditCheckpoint(emptyChainOf: chain.node, at: chain.now()))
            do {
                _ = try log.append([line], after: size)
                return true
            } catch is CheckpointRaceError { continue }
        }
        throw CheckpointRaceError()
    }

    /// Records in every chain that the earlier checkpoints are lost, and makes new first ones.
    ///
    /// - Throws: ``AuditCheckpointsPresentError`` while the log has lines, and the errors of ``write()``.
    package func beginAgain() async throws -> [CheckpointLine] {
        let count = try await queue.waiting { [log] in try log.lines().count }
        guard count == 0 else { throw AuditCheckpointsPresentError(count: count) }
        let now = chain.now()
        for name in try await chain.names() {
            try await unitOfWork.run { [chain] transaction in
                _ = try chain.append(AuditSigning(count: 0).entry(of: name, at: now), to: name, in: transaction)
            }
        }
        try await queue.waiting { [self] in known.withLock { $0 = nil } }
        return try await write()
    }
}
