import Dispatch

/// Port: the log of signed checkpoints, oldest first.
///
/// Every method may wait for a disk or a server, so that it is called on a thread that may be blocked.
package protocol CheckpointLog: Sendable {
    /// Returns every complete line, read where the log is kept.
    func lines() throws -> [String]
    /// Returns every complete line, of which this process may remember the earlier ones.
    ///
    /// It does not show whether a remembered line was changed since.
    func rememberedLines() throws -> [String]
    /// Appends all lines or the first ones of them, which are durable when the method returns.
    ///
    /// `size`: The log's size as far as the caller knows its lines.
    ///
    /// - Returns: The size with the lines.
    /// - Throws: ``CheckpointRaceError`` if the log has another size by now.
    func append(_ lines: [String], after size: Int64) throws -> Int64
    /// Returns a measure that grows with every line, such as a number of bytes: 0 for an empty or missing log.
    func size() throws -> Int64
}

extension CheckpointLog {
    package func rememberedLines() throws -> [String] { try lines() }
}

/// Another daemon has appended a checkpoint since this one read the log, so that what this one signed was not appended.
package struct CheckpointRaceError: Error, Equatable, CustomStringConvertible {
    package init() {}

    package var description: String {
        "another daemon has appended a checkpoint in the same moment: the next round takes it in"
    }
}

extension DispatchQueue {
    /// Runs what may wait for a disk or a server on this queue, and not on a thread that runs tasks.
    func waiting<Value: Sendable>(for body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
