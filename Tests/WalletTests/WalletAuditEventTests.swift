import Testing
import Wallet

struct WalletAuditEventTests {
    /// As all names in the audit: auditors look for `payment.` and find what became of payments.
    @Test(arguments: WalletAuditEvent.allCases)
    func `an event is named by its subject and its change`(_ event: WalletAuditEvent) {
        #expect(event.rawValue.wholeMatch(of: /(bank|card|payment)\.[a-z]+(_[a-z]+)*/) != nil)
    }
}
