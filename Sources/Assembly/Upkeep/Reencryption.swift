import Devices
import Kernel
import Logging
import Mail
import OAuth
import Operations
import Settings
import Storage
import Tokens
import Wallet

/// Encrypts rows of previous keys with the current key, at a start.
///
/// Logs when a previous key can be removed.
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
    let logger: Logger

    /// Encrypts the rows.
    ///
    /// An error of the database is logged and ends the run: the remaining rows can still be decrypted.
    package func run() async {
        var tally = Tally()
        do {
            for kind in EncryptedRowKind.allCases { try await reencrypt(kind, &tally) }
        } catch {
            logger.error(
                "encrypted rows could not be encrypted again: leave secrets.earlierSealingKeys as they are",
                metadata: ["cause": "\(error)", "resealed": "\(tally.reencrypted)"]
            )
            return
        }
        report(tally)
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
    /// The re-encryption of rows with previous keys at a start; `nil` for stores in memory.
    package var reencryption: Reencryption? {
        stores.upkeep.encryptedRows.map { rows in
            Reencryption(
                rows: rows,
                encryptor: core.secrets.encryptor,
                unitOfWork: unitOfWork,
                hasEarlierKeys: !settings.secrets.earlierSealingKeys.isEmpty,
                logger: logger
            )
        }
    }
}
