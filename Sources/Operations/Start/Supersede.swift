package import Kernel
import Logging

/// An older login that a start is to supersede, and the proofs that the older login is the caller's own.
package struct Superseding: Sendable, Equatable {
    package let publicID: Digest256
    package let caller: Caller

    package init(_ publicID: Digest256, provenBy caller: Caller) {
        self.publicID = publicID
        self.caller = caller
    }
}

extension OperationService {
    /// Ends older logins in favour of a new one, if the initiator proves that they are its own.
    ///
    /// They are the login that it names, with its verifier or cookie, and logins of the same linked device for the same
    /// account and client. Without a proof, an attacker could end a person's login by starting another.
    ///
    /// The named login may be for any account, because a caller with its proof could cancel it anyway. A rule about
    /// accounts would reveal which login is a decoy. A login that can't be ended continues to its deadline, and does
    /// not affect the new one.
    func supersede(_ named: Superseding?, by new: Operation) async {
        var older = await olderOfTheDevice(of: new)
        if let named, let operation = cache.card(named.publicID)?.operation, operation.id != new.id {
            if Visibility.isProven(named.caller, operation) {
                older.append(operation)
            } else {
                refusals.note(.supersedeUnproven, operation)
            }
        }
        await supersede(older)
    }

    /// Ends older operations in favour of a new one, which begins even if that fails.
    func supersede(_ older: [Operation]) async {
        for operation in older {
            do { _ = try await transition(operation, .superseded) } catch is OperationMachine.TransitionError {} catch {
                reports.logger.warning(
                    "a superseded operation could not be ended and continues to its deadline",
                    metadata: operation.logged(["cause": "\(error)"])
                )
            }
        }
    }

    /// Returns all but the newest login that the device has started for that account and client.
    ///
    /// The new login may be among them if yet another has entered the cache since. Only one of several continues.
    private func olderOfTheDevice(of new: Operation) async -> [Operation] {
        guard let device = new.request.device else { return [] }
        let alike = await undecided(of: device, new).filter {
            $0.request.account == new.request.account && $0.request.policy.clientID == new.request.policy.clientID
        }
        return alike.dropLast()
    }

    /// Returns the logins that the device has started and that can be superseded, the newest last.
    private func undecided(of device: DeviceID, _ new: Operation) async -> [Operation] {
        guard ports.nodes.isShared, let account = new.request.account else { return cache.undecided(of: device) }
        return await knownLive(of: account).filter { $0.undecidedDevice == device }
            .sorted { ($0.validity.createdAt, $0.id.bits) < ($1.validity.createdAt, $1.id.bits) }
    }
}
