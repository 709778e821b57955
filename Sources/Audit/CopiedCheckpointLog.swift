import Synchronization

/// A log that several daemons share, with this daemon's copy of the lines that it appended.
///
/// The log is kept with the rows, so that whoever restores or cuts both in one place leaves no contradiction. The copy is
/// kept elsewhere: a line of it that the log lacks shows that.
///
/// A line is appended to the log first. In the other order a daemon that another one was ahead of would have copied a
/// line that the log never gets, which looks like a loss. If a crash comes between the two, the line has no copy, and the
/// chain's next checkpoint, which covers the same rows, gets one.
package final class CopiedCheckpointLog: CheckpointLog {
    private struct State {
        /// The log's size when the copy was last compared with it; `nil` before.
        var compared: Int64?
        /// The lines that the copy has yet to get.
        var pending: [String] = []
        /// Whether it was told that the copy can't be written.
        var hasTold = false
    }

    /// The greatest number of lines that wait for a copy that can't be written.
    private static let mostPending = 10_000

    private let shared: any CheckpointLog
    private let copy: any CheckpointLog
    private let tell: @Sendable (any Error) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - shared: The log of all daemons.
    ///   - copy: Gets the lines that this daemon appends. If the log is empty, it begins with the lines of the copy, as
    ///     the database of a single daemon does that kept its checkpoints in a file.
    ///   - tell: Receives the error of a copy that can't be written, once until it can be written again.
    package init(
        _ shared: any CheckpointLog,
        copiedTo copy: any CheckpointLog,
        tell: @escaping @Sendable (any Error) -> Void
    ) {
        self.shared = shared
        self.copy = copy
        self.tell = tell
    }

    /// Does not compare the copy: its lines are evidence of their own for who verifies.
    package func lines() throws -> [String] {
        _ = try beginIfEmpty()
        return try shared.lines()
    }

    /// - Throws: ``CheckpointCopyAheadError`` if the copy has a line that the log lacks, as for ``size()``.
    package func rememberedLines() throws -> [String] {
        _ = try size()
        return try shared.rememberedLines()
    }

    package func size() throws -> Int64 {
        let size = try beginIfEmpty()
        // A log that became shorter has lost lines.
        if let compared = state.withLock(\.compared), compared <= size { return size }
        let copied = try copy.lines()
        if !copied.isEmpty {
            let lines = Set(try shared.lines())
            if let index = copied.firstIndex(where: { !lines.contains($0) }) {
                throw CheckpointCopyAheadError(line: index + 1)
            }
        }
        state.withLock { $0.compared = size }
        return size
    }

    package func append(_ lines: [String], after size: Int64) throws -> Int64 {
        let size = try shared.append(lines, after: size)
        state.withLock { state in
            state.compared = state.compared.map { max($0, size) }
            state.pending = (state.pending + lines).suffix(Self.mostPending)
        }
        writePending()
        return size
    }

    /// Whether the copy has a line that is not among those of the log; returns all lines of the copy then.
    package func linesOfCopy(besides lines: [String]) throws -> [String]? {
        let copied = try copy.lines()
        return copied.isEmpty || Set(copied).isSubset(of: lines) ? nil : copied
    }

    /// Returns the log's size after an empty log got the lines of the copy.
    private func beginIfEmpty() throws -> Int64 {
        let size = try shared.size()
        guard size == 0 else { return size }
        let copied = try copy.lines()
        guard !copied.isEmpty else { return 0 }
        do { return try shared.append(copied, after: 0) } catch is CheckpointRaceError {
            // Another daemon was first.
            return try shared.size()
        }
    }

    /// Without its copy a checkpoint is as good as before, so that nothing is thrown.
    private func writePending() {
        do {
            // One by one, so that after an error none is copied twice.
            for line in state.withLock(\.pending) {
                _ = try copy.append([line], after: try copy.size())
                state.withLock { _ = $0.pending.removeFirst() }
            }
            state.withLock { $0.hasTold = false }
        } catch {
            let isNews = state.withLock { state in
                defer { state.hasTold = true }
                return !state.hasTold
            }
            if isNews { tell(error) }
        }
    }
}
