import Audit
import Kernel
import Logging
import Storage
import TokenReading
import Tokens

/// Does what is due of the signing keys, about every minute: the scheduled rotation, and the end of keys whose last token
/// has expired.
struct KeyRotation: Sendable {
    /// Between two looks; a look at keys of which nothing is due touches no file.
    static let interval = Duration.seconds(60)

    let keys: KeyRing
    let journal: KeyJournal
    let facts: Facts
    let logger: Logger

    func run() async {
        while !Task.isCancelled {
            await advance()
            do { try await facts.clock.sleep(until: facts.clock.now + Self.interval) } catch { return }
        }
    }

    /// A fault is logged, and the next round tries again; until then the keys stay as they are.
    ///
    /// So it does with what could not be written into the audit, be it of a round or of the operator.
    func advance() async {
        do {
            for change in try keys.advance(now: facts.now()) {
                let (fact, kid) = KeyJournal.words(for: change)
                logger.notice("a signing key changed", metadata: ["change": "\(fact)", "kid": "\(kid)"])
            }
        } catch {
            logger.error("the signing keys could not be rotated", metadata: ["cause": "\(error)"])
        }
        do { try await keys.handOver(to: journal.record) } catch {
            logger.error("what became of signing keys is not in the audit yet", metadata: ["cause": "\(error)"])
        }
    }
}

/// Writes what becomes of signing keys into the audit.
struct KeyJournal: Sendable {
    let chain: AuditChain
    let unitOfWork: SQLiteUnitOfWork
    let facts: Facts

    /// All of them or none.
    @Sendable func record(_ changes: [KeyChange]) async throws {
        let entries = changes.map { change in
            let (fact, kid) = Self.words(for: change)
            return AuditEntry(at: facts.now(), fact: fact, subject: kid, account: nil, detail: nil)
        }
        try await unitOfWork.run { [chain] transaction in
            for entry in entries { try chain.append(entry, in: transaction) }
        }
    }

    static func words(for change: KeyChange) -> (fact: String, kid: String) {
        switch change {
        case .rotated(let key): ("keys.rotated", key.text)
        case .retired(let key): ("keys.retired", key.text)
        }
    }
}
