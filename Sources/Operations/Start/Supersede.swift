package import Kernel
import Logging

/// An older login that a start is to supersede, and what its sender proves about that one.
package struct Superseding: Sendable, Equatable {
    package let publicID: Digest256
    package let caller: Caller

    package init(_ publicID: Digest256, provenBy caller: Caller) {
        self.publicID = publicID
        self.caller = caller
    }
}

extension OperationService {
    /// Ends older logins in favour of a new one, where the initiator proves that they are his: the one that he names and
    /// has the verifier or the cookie of, and those that the same linked device started for the same account and client.
    ///
    /// Anybody else's start leaves them alone, or a stranger could end a person's login by starting another. What is
    /// named may be for any account: who has its proof could cancel it just as well, and a rule about accounts would
    /// tell a decoy from a login. One that can't be ended goes on to its deadline; the new one does not depend on it.
    func supersede(_ named: Superseding?, by new: Operation) async {
        var older = olderOfTheDevice(of: new)
        if let named, let operation = cache.card(named.publicID)?.operation, operation.id != new.id {
            if Visibility.isProven(named.caller, operation) {
                older.append(operation)
            } else {
                refusals.note(.supersedeUnproven, operation)
            }
        }
        for operation in older {
            do { _ = try await transition(operation, .superseded) } catch is OperationMachine.TransitionError {} catch {
                let metadata = operation.logged(["cause": "\(error)"])
                logger.warning("an older login could not be superseded", metadata: metadata)
            }
        }
    }

    /// All but the newest that the device has started for that account and client; the new one itself may be among them,
    /// when another has come into the cache since: of several one goes on.
    private func olderOfTheDevice(of new: Operation) -> [Operation] {
        guard let device = new.device else { return [] }
        let alike = cache.undecided(of: device).filter {
            $0.account == new.account && $0.policy.clientID == new.policy.clientID
        }
        return alike.dropLast()
    }
}

extension OperationService {
    /// Keeps the initiator of a login quiet of whom the person said that it was not them.
    ///
    /// Its address gets decoys for that account from the same client, for a while; linked devices are
    /// never concerned. What is known of the address is in memory, so that after a restart nobody is kept quiet for what
    /// was started before it.
    package func quiet(initiatorOf operation: Operation) {
        guard let account = operation.account,
            let source = cache.source(of: operation.publicID) ?? initiators.source(of: operation.id)
        else { return }
        limits.hush(source, client: operation.policy.clientID, account: account)
    }

    /// What came to something may be disowned long after it has left the cache.
    func rememberInitiator(of operation: Operation) {
        switch operation.state {
        case .redeemed, .closed:
            if let source = cache.source(of: operation.publicID) { initiators.note(source, of: operation.id) }
        case .created, .opened, .pending, .approved, .failed: break
        }
    }

    /// Whether that start is to be a decoy because its initiator is to be quiet; takes as long for every address.
    func isQuiet(_ command: BeginOperation, _ subject: LoginSubject?) -> Bool {
        guard let source = command.source else { return false }
        return limits.isQuiet(source, client: command.policy.clientID, account: subject?.account ?? Self.nobody)
    }
}
