import Audit
import Kernel
import Logging
import Settings
import TokenReading
import Tokens

/// Advances the signing keys about every minute: the scheduled rotation, and the end of keys whose last token has
/// expired.
package struct KeyRotation: Sendable {
    /// The time between two checks, which read no file unless a key is due, and ask a shared database each time.
    static let interval = Duration.seconds(60)

    let keys: KeyRing
    let auditLog: KeyAuditLog
    let environment: Environment
    /// The clock for the dates, the rotation and the end of keys.
    ///
    /// Without a trusted time nothing is changed: a clock that is briefly ahead would end keys whose tokens are still
    /// valid.
    let time: SweepClock
    let logger: Logger
    /// Whether to create the keys that sign id tokens with RS256, if they are missing.
    var makesIdentityKeys = false

    /// Runs until the daemon stops, and then tries once more to write pending changes into the audit.
    package func run() async {
        while !Task.isCancelled {
            await advance()
            do { try await environment.clock.sleep(until: environment.clock.now + Self.interval) } catch { break }
        }
        await auditLog.handOver()
    }

    /// Advances the keys, and writes all changes into the audit, including those by operators.
    ///
    /// An error is logged, and the next round tries again. Until then the keys stay as they are.
    func advance() async {
        do { try await keys.apart { _ in try advanceKeys() } } catch {
            logger.error(
                "the signing keys could not be rotated: check where they are kept",
                metadata: ["cause": "\(error)"]
            )
        }
        await auditLog.handOver()
    }

    private func advanceKeys() throws {
        // Messages of other daemons can be lost.
        if keys.isShared { try keys.reload() }
        if makesIdentityKeys, try keys.openIdentity(now: environment.now()) {
            logger.notice("the RS256 keys that sign id tokens are ready")
        }
        guard let now = time.now else { return }
        for key in try keys.redate(now: now) {
            logger.warning(
                "a signing key had a date in the future, and counts from now",
                metadata: ["kid": "\(key.text)"]
            )
        }
        for change in try keys.advance(now: now) {
            let (event, kid) = KeyAuditLog.words(for: change)
            logger.notice("a signing key changed", metadata: ["change": "\(event)", "kid": "\(kid)"])
        }
    }
}

/// The audit events of signing keys, whose subject is the key's id.
enum KeyAuditEvent: String, AuditEvent {
    /// A key became the signing key.
    case rotated = "keys.rotated"
    /// A key does not verify tokens any more.
    case retired = "keys.retired"
}

/// Writes the changes of signing keys into the audit.
struct KeyAuditLog: Sendable {
    let keys: KeyRing
    let chain: AuditChain
    let unitOfWork: any UnitOfWork
    let logger: Logger

    /// Writes the changes that are not in the audit yet, each with its time.
    ///
    /// An error is logged with the changes and not thrown: the keys have already changed, and the caller must not
    /// change them again. The next call writes the changes.
    @Sendable func handOver() async {
        await keys.handOver { changes in
            do {
                try await record(changes)
                return true
            } catch {
                let lacking = changes.map { dated in
                    let (event, kid) = Self.words(for: dated.change)
                    return "\(event) \(kid) \(dated.at.internetDate)"
                }
                logger.error(
                    "changes of signing keys are not in the audit yet: keep this line if the daemon stops before they are",
                    metadata: ["changes": "\(lacking.joined(separator: ", "))", "cause": "\(error)"]
                )
                return false
            }
        }
    }

    /// Writes all changes or none.
    private func record(_ changes: [DatedKeyChange]) async throws {
        let entries = changes.map { dated in
            let (event, kid) = Self.words(for: dated.change)
            return AuditEntry(at: dated.at, event: event, subject: kid, account: nil, detail: nil)
        }
        try await unitOfWork.run { [chain] transaction in
            for entry in entries { try chain.append(entry, in: transaction) }
        }
    }

    static func words(for change: KeyChange) -> (event: String, kid: String) {
        switch change {
        case .rotated(let key): (KeyAuditEvent.rotated.rawValue, key.text)
        case .retired(let key): (KeyAuditEvent.retired.rawValue, key.text)
        }
    }
}

extension Composition {
    /// The rotation of the signing keys.
    package var keyRotation: KeyRotation {
        KeyRotation(
            keys: keys,
            auditLog: keyAuditLog,
            environment: environment,
            time: audit.sweepTime,
            logger: logger,
            makesIdentityKeys: settings.oauth.enabled
        )
    }
}
