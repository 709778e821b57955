import Testing

@testable import HTTPAPI

struct TokenDemandTests {
    @Test func `a route that names no scope takes no limited token`() {
        let demand = TokenDemand(audience: .everyClient)
        #expect(demand.isMet(by: nil))
        #expect(!demand.isMet(by: ["profile"]))
        #expect(!demand.isMet(by: []))
    }

    @Test func `a limited token has to be good for every scope that the route names`() {
        let demand = TokenDemand(audience: .everyClient, scopes: ["profile", "cards.read"])
        #expect(demand.isMet(by: ["profile", "cards.read", "more"]))
        #expect(!demand.isMet(by: ["profile"]))
        #expect(!demand.isMet(by: []))
        #expect(demand.isMet(by: nil), "a token that is not limited is good for all that the account may")
    }
}
