import Synchronization
import Testing

@testable import Accounts

struct MailboxTurnTests {
    @Test(arguments: [true, false])
    func `a mailbox turn takes its budget once, and only when it is asked for`(_ isFree: Bool) {
        let budget = Budget()
        let turn = MailboxTurn {
            budget.note()
            return isFree
        }
        #expect(budget.taken == 0)
        for _ in 1...3 { #expect(turn.isGranted() == isFree, "a unit of work may run again") }
        #expect(budget.taken == 1)
    }
}

private final class Budget: Sendable {
    private let count = Mutex(0)

    var taken: Int { count.withLock { $0 } }
    func note() { count.withLock { $0 += 1 } }
}
