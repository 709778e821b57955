import Testing
import Wallet

struct WalletFactTests {
    /// As all names in the audit: auditors look for `payment.` and find what became of payments.
    @Test(arguments: WalletFact.allCases)
    func `a fact is named by what it is about and what happened to it`(_ fact: WalletFact) {
        #expect(fact.rawValue.wholeMatch(of: /(bank|card|payment)\.[a-z]+(_[a-z]+)*/) != nil)
    }
}
