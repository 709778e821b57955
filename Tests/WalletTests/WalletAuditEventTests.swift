import Testing
import Wallet

struct WalletAuditEventTests {
    /// As all names in the audit: auditors look for `payment.` and find what became of payments.
    @Test(arguments: WalletAuditEvent.allCases)
    func `an event is named by what it is about and what happened to it`(_ event: WalletAuditEvent) {
        #expect(event.rawValue.wholeMatch(of: /(bank|card|payment)\.[a-z]+(_[a-z]+)*/) != nil)
    }
}
