import Logging
import Storage

/// Logs what becomes of this daemon among those that share its database.
struct MembershipLog: Sendable {
    let logger: Logger

    func note(_ event: PostgresMembership.Event) {
        switch event {
        case .leaseLost(let cause):
            logger.error(
                "the lease of this daemon can't be renewed: others follow its operations until it can",
                metadata: ["cause": "\(cause)"]
            )
        case .leaseHeld: logger.notice("the lease of this daemon is renewed again")
        case .renamed(let name):
            logger.warning(
                "another daemon took this one's operations over while it stood still: it goes on under another name",
                metadata: ["node": "\(name)"]
            )
        case .adopted(let name):
            logger.notice("the operations of a stopped daemon are followed here", metadata: ["node": "\(name)"])
        case .released(let name):
            logger.info("no operation of a stopped daemon is left", metadata: ["node": "\(name)"])
        case .takeoverFailed(let cause):
            logger.warning(
                "the operations of stopped daemons can't be taken over: it is tried again each second",
                metadata: ["cause": "\(cause)"]
            )
        case .unheard:
            logger.error(
                """
                other daemons of the database have another storage.postgres.notices, and don't hear this one: /readyz \
                says 503. Write the same in all, and restart this one
                """
            )
        }
    }
}
