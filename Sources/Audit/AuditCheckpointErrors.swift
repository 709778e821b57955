/// The row that an error names.
///
/// `chain`: `nil` for the chain with the node's own name.
private func row(_ number: Int64, of chain: String?) -> String { "row \(number)" + (chain.map { " of \($0)" } ?? "") }

/// A chain counts more checkpoints than the log has: the log's file was deleted, shortened, or replaced by an old
/// one.
package struct AuditCheckpointsMissingError: Error, Equatable, CustomStringConvertible {
    /// The number of checkpoints that the chains count.
    package let signed: Int
    /// The number of lines in the log.
    package let found: Int

    package var description: String {
        "\(signed) checkpoint(s) of the audit were signed and \(found) are there: rows may have been cut off with the others. "
            + "Put the file of `audit.checkpoints` (with PostgreSQL, the rows of the table `checkpoints`) back from a copy and "
            + "run `vestibule audit verify`. Without a copy, move it away and run `vestibule audit checkpoint --anew`, which "
            + "records the loss"
    }
}

/// Checkpoints can only be counted from zero again when the log has no lines.
package struct AuditCheckpointsPresentError: Error, Equatable, CustomStringConvertible {
    package let count: Int

    package var description: String {
        "\(count) checkpoint(s) are there. Move their file (`audit.checkpoints`) away first, and keep it. With PostgreSQL, do "
            + "so at every daemon, and empty the table `checkpoints`"
    }
}

/// This daemon's copy has a line that the log of all daemons lacks: lines were deleted from the database, or an earlier
/// state of it was restored.
package struct CheckpointCopyAheadError: Error, Equatable, CustomStringConvertible {
    /// The number of the copy's first such line, counted from 1.
    package let line: Int

    package init(line: Int) { self.line = line }

    package var description: String {
        "line \(line) of the file of `audit.checkpoints` is not in the table `checkpoints`: an old database was restored, or "
            + "checkpoints were deleted, and rows may be missing too. Run `vestibule audit verify`. To go on with this "
            + "database, move the file away, and keep it"
    }
}

/// The chain ends before its last checkpoint: rows were deleted, or an old state of the database was restored.
package struct AuditEndMissingError: Error, Equatable, CustomStringConvertible {
    package let last: Int64
    package let checkpoint: Int64
    /// `nil` for the chain with the node's own name.
    package internal(set) var chain: String?

    /// The expected state.
    var expected: String { "checkpoint of \(row(checkpoint, of: chain))" }
    /// The state found instead.
    var found: String { last == 0 ? "no row" : "row \(last) as the last" }

    package var description: String {
        "the audit ends with \(row(last, of: chain)), but a checkpoint tells of row \(checkpoint): rows were cut off, or an old "
            + "database was restored. Run `vestibule audit verify`"
    }
}

/// The row of the last checkpoint differs from the signed one.
///
/// Either an old database was restored and has grown since, or the chain was rewritten.
package struct AuditRewrittenError: Error, Equatable, CustomStringConvertible {
    /// The number of the row that differs.
    package let number: Int64
    /// `nil` for the chain with the node's own name.
    package internal(set) var chain: String?

    package var description: String {
        "\(row(number, of: chain ?? "the audit")) is not the one that the last checkpoint signed: the chain was rewritten, or an old "
            + "database was restored. Nothing was signed: run `vestibule audit verify`"
    }
}

/// This server did not sign a line of the checkpoint log, or not in that place: the line was changed, forged, copied, or
/// signed with other keys.
package struct AuditCheckpointForgedError: Error, Equatable, CustomStringConvertible {
    /// The line's number, counted from 1.
    package let line: Int

    package var description: String {
        "line \(line) of the audit's checkpoints was not signed there with these keys. Nothing was signed: run "
            + "`vestibule audit verify`"
    }
}
