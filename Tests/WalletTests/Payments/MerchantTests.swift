import Testing

@testable import Wallet

/// Merchants as a person may be shown them.
struct MerchantTests {
    @Test(arguments: ["Shop", "Möbel & Söhne", "شركة المثال", "7-Eleven", String(repeating: "x", count: 100)])
    func `a name in any script is taken`(_ name: String) {
        #expect(Merchant(name: name)?.name == name)
        #expect(Merchant(name: name, id: "shop-7")?.id == "shop-7")
    }

    // Unicode UAX #9 §2 and UTR #36 §2.10: what turns text around, hides in it or breaks its line.
    @Test(arguments: [
        "", " ", "Shop ", " Shop", "Shop\nto: Thief", "Shop\r", "Shop\u{2028}x", "Shop\u{2029}x", "Shop\u{85}x",
        "Shop\t",
        "Shop\u{0}", "Shop\u{1B}[2K", "Shop\u{202E}feihT", "\u{2066}Shop\u{2069}", "Shop\u{200B}", "Sh\u{AD}op",
        "Shop\u{FEFF}", "Shop  Attacker", "\u{3164}", String(repeating: "x", count: 101),
        String(repeating: "x", count: 1_000_000),
    ])
    func `attack: a misleading merchant name is refused`(_ name: String) { #expect(Merchant(name: name) == nil) }

    @Test(arguments: ["", "a b", "a\n", "a\u{7F}", "é", "\u{202E}a", String(repeating: "x", count: 65)])
    func `attack: a merchant id that is not visible ASCII is refused`(_ id: String) {
        #expect(Merchant(name: "Shop", id: id) == nil)
    }

    @Test func `two spellings that Unicode holds equal are two merchants`() throws {
        let composed = try #require(Merchant(name: "Caf\u{E9}"))
        let decomposed = try #require(Merchant(name: "Cafe\u{301}"))
        #expect(composed.name == decomposed.name, "or this test shows nothing")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
    }
}
