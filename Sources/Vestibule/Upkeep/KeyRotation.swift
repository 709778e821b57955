import Audit
import Kernel
import Logging
import TokenReading
import Tokens

/// Does what is due of the signing keys, about every minute: the scheduled rotation, and the end of keys whose last token
/// has expired.
struct KeyRotation: Sendable {
    /// Between two looks; a look at keys of which nothing is due touches no file.
    static let interval = Duration.seconds(60)

    let keys: KeyRing
    let auditLog: KeyAuditLog
    let environment: Environment
    /// What keys are dated anew, followed on and ended by.
    ///
    /// While there is none nothing is done: a clock that is ahead for a minute would end keys whose tokens are good, for ever.
    let time: SweepClock
    let logger: Logger
    /// Whether to make the keys that sign id tokens by RS256, where they are not there yet.
    var makesIdentityKeys = false

    /// Until the daemon stops; then what is not in the audit yet is written, if it can be.
    func run() async {
        while !Task.isCancelled {
            await advance()
            do { try await environment.clock.sleep(until: environment.clock.now + Self.interval) } catch { break }
        }
        await auditLog.handOver()
    }

    /// A fault is logged, and the next round tries again; until then the keys stay as they are.
    ///
    /// So it does with what could not be written into the audit, be it of a round or of the operator.
    func advance() async {
        do {
            if makesIdentityKeys, try keys.openIdentity(now: environment.now()) {
                logger.notice("the keys that sign id tokens by RS256 are there")
            }
            if let now = time.now {
                for key in try keys.redate(now: now) {
                    logger.warning(
                        "a signing key was dated by a clock that was ahead, and counts from now",
                        metadata: ["kid": "\(key.text)"]
                    )
                }
                for change in try keys.advance(now: now) {
                    let (fact, kid) = KeyAuditLog.words(for: change)
                    logger.notice("a signing key changed", metadata: ["change": "\(fact)", "kid": "\(kid)"])
                }
            }
        } catch {
            logger.error("the signing keys could not be rotated", metadata: ["cause": "\(error)"])
        }
        await auditLog.handOver()
    }
}

/// Writes what becomes of signing keys into the audit.
struct KeyAuditLog: Sendable {
    let keys: KeyRing
    let chain: AuditChain
    let unitOfWork: any UnitOfWork
    let logger: Logger

    /// Writes what is not in the audit yet, each with the time of the change.
    ///
    /// A fault is logged, with what could not be written, and throws nothing: the keys have changed, and whoever changed
    /// them is not to do it again. What was not written waits for the next call.
    @Sendable func handOver() async {
        await keys.handOver { changes in
            do {
                try await record(changes)
                return true
            } catch {
                let lacking = changes.map { dated in
                    let (fact, kid) = Self.words(for: dated.change)
                    return "\(fact) \(kid) \(dated.at.internetDate)"
                }
                logger.error(
                    "what became of signing keys is not in the audit yet",
                    metadata: ["changes": "\(lacking.joined(separator: ", "))", "cause": "\(error)"]
                )
                return false
            }
        }
    }

    /// All of them or none.
    private func record(_ changes: [DatedKeyChange]) async throws {
        let entries = changes.map { dated in
            let (fact, kid) = Self.words(for: dated.change)
            return AuditEntry(at: dated.at, fact: fact, subject: kid, account: nil, detail: nil)
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
