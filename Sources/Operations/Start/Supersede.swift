package import Kernel
import Logging

/// An older login that a start is to supersede, and the proofs of its sender.
package struct Superseding: Sendable, Equatable {
    package let publicID: Digest256
    package let caller: Caller

    package init(_ publicID: Digest256, provenBy caller: Caller) {
        self.publicID = publicID
        self.caller = caller
    }
}

extension OperationService {
    /// Ends older logins in favour of a new one, where the initiator proves that they are its own.
    ///
    /// These are the named one, with its verifier or cookie, and those of the same linked device for the same account
    /// and client. Without proof an attacker could end a person's login by starting another. The named one may be for
    /// any account: a caller with its proof could cancel it as well, and a rule about accounts would tell a decoy from
    /// a login. A login that can't be ended continues to its deadline; the new one does not depend on it.
    func supersede(_ named: Superseding?, by new: Operation) async {
        var older = olderOfTheDevice(of: new)
        if let named, let operation = cache.card(named.publicID)?.operation, operation.id != new.id {
            if Visibility.isProven(named.caller, operation) {
                older.append(operation)
            } else {
                refusals.note(.supersedeUnproven, operation)
            }
        }
        await supersede(older)
    }

    /// Ends older operations in favour of a new one, which begins all the same where that fails.
    func supersede(_ older: [Operation]) async {
        for operation in older {
            do { _ = try await transition(operation, .superseded) } catch is OperationMachine.TransitionError {} catch {
                reports.logger.warning(
                    "an older operation could not be superseded",
                    metadata: operation.logged(["cause": "\(error)"])
                )
            }
        }
    }

    /// Returns all but the newest login that the device has started for that account and client.
    ///
    /// The new one may be among them when another has entered the cache since: only one of several continues.
    private func olderOfTheDevice(of new: Operation) -> [Operation] {
        guard let device = new.request.device else { return [] }
        let alike = cache.undecided(of: device).filter {
            $0.request.account == new.request.account && $0.request.policy.clientID == new.request.policy.clientID
        }
        return alike.dropLast()
    }
}

extension OperationService {
    /// Keeps the initiator of a disowned login quiet.
    ///
    /// Its address gets decoys for that account from the same client, for a while, but never a linked device. The
    /// address is in memory, so that after a restart no initiator is kept quiet for an earlier start.
    package func quiet(initiatorOf operation: Operation) {
        guard let account = operation.request.account,
            let source = cache.source(of: operation.credentials.publicID)
                ?? admission.initiators.source(of: operation.id)
        else { return }
        limits.hush(source, client: operation.request.policy.clientID, account: account)
    }

    /// Notes the initiator of a collected operation: it may be disowned long after it has left the cache.
    func rememberInitiator(of operation: Operation) {
        switch operation.state {
        case .redeemed, .closed:
            if let source = cache.source(of: operation.credentials.publicID) {
                admission.initiators.note(source, of: operation.id)
            }
        case .created, .opened, .pending, .approved, .failed: break
        }
    }

    /// Whether that start is to be a decoy because its initiator is to be quiet; takes as long for every address.
    func isQuiet(_ command: BeginOperation, _ subject: LoginSubject?) -> Bool {
        guard let source = command.source else { return false }
        return limits.isQuiet(source, client: command.policy.clientID, account: subject?.account ?? Self.nobody)
    }
}
