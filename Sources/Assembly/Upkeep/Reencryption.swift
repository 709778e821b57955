import Devices
package import Kernel
import Logging
import Mail
import OAuth
import Operations
import Settings
import Storage
import Tokens
import Wallet

/// Encrypts rows of previous keys with the current key.
///
/// Logs when a previous key can be removed.
///
/// The only daemon on a database does so at its start (``run()``). Of several the leader does so while all daemons encrypt
/// with its key (``follow()``): another one would write rows with the previous key behind it. If two do it at once, each
/// row is written by one of them.
///
/// Most rows are written again within some time, but a bank's link maybe never. Without its key its tokens would be
/// lost.
package struct Reencryption {
    /// The number of rows in one unit of work.
    private static let batch = 200

    let rows: any EncryptedRows
    let encryptor: AESGCMEncryptor
    let unitOfWork: any UnitOfWork
    /// Whether the config has previous keys, so that the operator waits for a log line.
    let hasEarlierKeys: Bool
    /// The daemons that share the database.
    var nodes: any NodeMembership = SingleNode()
    let logger: Logger

    /// Encrypts the rows, before the only daemon on the database serves anything.
    ///
    /// Does nothing where several daemons share it.
    package func run() async {
        guard !nodes.isShared else { return }
        _ = await reencrypt()
    }

    /// Encrypts the rows once the daemons that share the database have one key, until the task is cancelled.
    ///
    /// Begins again after a daemon with another key was there, and when this daemon becomes the leader.
    package func follow(_ clock: any MonotonicClock) async {
        var progress = Progress()
        while !Task.isCancelled {
            await check(&progress)
            do { try await clock.sleep(until: clock.now + Self.interval) } catch { return }
        }
    }

    /// The time between two looks at the other daemons' keys.
    private static let interval: Duration = .seconds(60)

    /// What one look at the other daemons' keys leaves for the next.
    struct Progress {
        /// Whether all rows were encrypted, and no daemon with another key was there since.
        var isDone = false
        /// Whether it was logged what is waited for.
        var hasToldWait = false
    }

    /// Encrypts the rows if this daemon is the leader and all have one key, unless that is done.
    func check(_ progress: inout Progress) async {
        let peers = nodes.peers
        guard peers.isLeader else {
            progress = Progress()
            return
        }
        guard peers.encryptionKeys == [encryptor.currentKey] else {
            progress.isDone = false
            // A leader that was just chosen may not have heard of any daemon.
            guard !progress.hasToldWait, !peers.encryptionKeys.isEmpty else { return }
            progress.hasToldWait = true
            logger.info(
                "encrypted rows are encrypted again when all daemons have the same current key: restart the others with it",
                metadata: [
                    "key": "\(encryptor.currentKey)",
                    "found": "\(peers.encryptionKeys.sorted().joined(separator: ", "))",
                ]
            )
            return
        }
        progress.hasToldWait = false
        guard !progress.isDone else { return }
        progress.isDone = await reencrypt()
    }

    /// Returns whether the rows are encrypted with the current key.
    ///
    /// An error of the database is logged and ends the run: the remaining rows can still be decrypted.
    private func reencrypt() async -> Bool {
        var tally = Tally()
        do {
            for kind in EncryptedRowKind.allCases { try await reencrypt(kind, &tally) }
        } catch {
            logger.error(
                "encrypted rows could not be encrypted again: leave secrets.earlierSealingKeys as they are",
                metadata: ["cause": "\(error)", "resealed": "\(tally.reencrypted)"]
            )
            return false
        }
        report(tally)
        return true
    }

    private func reencrypt(_ kind: EncryptedRowKind, _ tally: inout Tally) async throws {
        var last: EncryptedRow?
        while true {
            let found = try await rows.rows(
                kind,
                encryptedOtherwiseThanWith: encryptor.currentKey,
                after: last,
                limit: Self.batch
            )
            guard let end = found.last else { return }
            last = end
            let changes = try found.compactMap { try change($0, &tally) }
            guard !changes.isEmpty else { continue }
            tally.reencrypted += try await unitOfWork.run { [rows] transaction in
                var written = 0
                for change in changes {
                    written += try rows.put(change.parts, in: change.row, in: transaction) ? 1 : 0
                }
                return written
            }
        }
    }

    /// Returns `nil` for a row that no key decrypts.
    private func change(_ row: EncryptedRow, _ tally: inout Tally) throws -> Change? {
        var parts: [EncryptedRow.Part?] = []
        for (part, context) in zip(row.parts, row.contexts) {
            guard let part else {
                parts.append(nil)
                continue
            }
            guard let decrypted = encryptor.decrypt(part.bytes, key: part.key, as: context) else {
                tally.unopened[Unopened(kind: row.kind, key: part.key), default: 0] += 1
                return nil
            }
            let encrypted = try encryptor.encrypt(decrypted, as: context)
            parts.append(EncryptedRow.Part(key: encryptor.currentKey, bytes: encrypted))
        }
        return Change(row: row, parts: parts)
    }

    /// Logs the keys' names, which reveal nothing about the keys.
    private func report(_ tally: Tally) {
        for (rows, count) in tally.unopened.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            let message: Logger.Message =
                encryptor.knows(rows.key)
                ? "encrypted rows were changed or damaged, and their key does not decrypt them: restore a backup"
                : "no key of the config decrypts some encrypted rows: give theirs in secrets.earlierSealingKeys"
            logger.error(
                message,
                metadata: ["rows": "\(rows.kind.rawValue)", "count": "\(count)", "key": "\(rows.key)"]
            )
        }
        guard hasEarlierKeys || tally.reencrypted > 0, tally.unopened.keys.allSatisfy({ encryptor.knows($0.key) })
        else {
            return
        }
        logger.info(
            "all readable rows are encrypted with the current key: secrets.earlierSealingKeys may be removed",
            metadata: ["resealed": "\(tally.reencrypted)", "key": "\(encryptor.currentKey)"]
        )
    }

    private struct Change: Sendable {
        let row: EncryptedRow
        let parts: [EncryptedRow.Part?]
    }

    private struct Unopened: Hashable {
        let kind: EncryptedRowKind
        let key: String
    }

    private struct Tally {
        var reencrypted = 0
        var unopened: [Unopened: Int] = [:]
    }
}

extension EncryptedRow {
    /// The encryption context of each part, as the module that owns the row defines it.
    fileprivate var contexts: [EncryptionContext] {
        switch name {
        case .link(let account, let bank):
            [.bankAccessToken(bank, of: account), .bankRefreshToken(bank, of: account)]
        case .state(let state):
            [.bankVerifier(of: state), .unconfirmedEnrolment(of: state)]
        case .device(let device): [.pushToken(of: device)]
        case .mail(let id): [.recipient(of: id), .message(of: id)]
        case .request(let id): [.backchannelRequest(id)]
        case .scan(let id, let browser): [.scanPage(of: id, for: browser)]
        }
    }
}

extension Composition {
    /// Encrypts rows with previous keys while several daemons run, until the task is cancelled.
    ///
    /// A loop of the daemon must not end before that: its end would end the daemon.
    package func followEncryptionKeys(_ clock: any MonotonicClock) async {
        if stores.upkeep.nodes.isShared, let reencryption { return await reencryption.follow(clock) }
        while (try? await clock.sleep(until: clock.now + .seconds(3600))) != nil {}
    }

    /// The re-encryption of rows with previous keys; `nil` for stores in memory.
    package var reencryption: Reencryption? {
        stores.upkeep.encryptedRows.map { rows in
            Reencryption(
                rows: rows,
                encryptor: core.secrets.encryptor,
                unitOfWork: unitOfWork,
                hasEarlierKeys: !settings.secrets.earlierSealingKeys.isEmpty,
                nodes: stores.upkeep.nodes,
                logger: logger
            )
        }
    }
}
