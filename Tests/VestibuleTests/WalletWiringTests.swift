import Foundation
import Glibc
import Kernel
import Testing
import Tokens
import Wallet

@testable import Settings
@testable import Vestibule

/// What the config says of banks and payments as the wallet gets it, and how it seals.
struct WalletWiringTests {
    /// A sealer with keys of a folder that is gone at once: it needs no file any more.
    private static func adapter(_ secrets: [Secret] = []) throws -> WalletSealAdapter {
        var template = Array("/tmp/vst-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try KeyFolder.open(at: path + "/keys", facts: .system)
        return WalletSealAdapter(sealer: Sealer(secrets, folder: folder, facts: .system))
    }

    @Test func `what is sealed opens as what it is, and says nothing of it`() throws {
        let adapter = try Self.adapter()
        let sealed = try adapter.seal(Secret("bank-at-1"), as: "access one")
        #expect(!sealed.contains("bank-at-1"))
        #expect(adapter.open(sealed, as: "access one") == Secret("bank-at-1"))
        #expect(try adapter.seal(Secret("bank-at-1"), as: "access one") != sealed)
    }

    /// A row's sealed text that somebody moves to another row, or changes, is none.
    @Test func `attack: what was sealed as something else opens nothing`() throws {
        let adapter = try Self.adapter()
        let sealed = try adapter.seal(Secret("bank-at-1"), as: "access one")
        for context in ["access two", "refresh one", "", "wallet access one"] {
            #expect(adapter.open(sealed, as: context) == nil)
        }
        var flipped = Array(sealed)
        let middle = flipped.count / 2
        flipped[middle] = flipped[middle] == "A" ? "B" : "A"
        for forged in [String(flipped), String(sealed.dropFirst()), "", ".", "bank-at-1", sealed + "AAAA"] {
            #expect(adapter.open(forged, as: "access one") == nil)
        }
        #expect(try Self.adapter().open(sealed, as: "access one") == nil)
    }

    @Test func `an operator's earlier key opens still`() throws {
        let (old, new) = (Secret(String(repeating: "o", count: 32)), Secret(String(repeating: "n", count: 32)))
        let sealed = try Self.adapter([old]).seal(Secret("bank-rt-1"), as: "refresh one")
        #expect(try Self.adapter([new, old]).open(sealed, as: "refresh one") == Secret("bank-rt-1"))
        #expect(try Self.adapter([new]).open(sealed, as: "refresh one") == nil)
    }

    @Test func `a bank has all that the config says of it`() {
        var settings = BankSettings()
        settings.name = "TD Bank"
        settings.logo = "https://bank.example.com/logo.png"
        settings.authorizeURL = "https://bank.example.com/authorize"
        settings.tokenURL = "https://bank.example.com/token"
        settings.cardsURL = "https://bank.example.com/cards"
        settings.clientID = "vestibule"
        settings.clientSecret = Secret("hush")
        settings.authentication = .basic
        settings.scopes = ["cards"]
        settings.issuer = "https://bank.example.com"
        settings.timeout = .seconds(3)
        let expected = Bank(
            id: "td-bsim",
            name: "TD Bank",
            logoURL: "https://bank.example.com/logo.png",
            authorizeURL: "https://bank.example.com/authorize",
            tokenURL: "https://bank.example.com/token",
            cardsURL: "https://bank.example.com/cards",
            clientID: "vestibule",
            clientSecret: Secret("hush"),
            authentication: .basic,
            scopes: ["cards"],
            issuer: "https://bank.example.com",
            timeout: .seconds(3)
        )
        #expect(Bank("td-bsim", settings) == expected)
    }

    @Test func `payments are bounded as the config says`() throws {
        var settings = PaymentSettings()
        #expect(settings.policy == PaymentPolicy())
        settings.lifetime = .seconds(60)
        settings.cardTokenLifetime = .seconds(20)
        settings.openPerAccount = 2
        settings.perDay = 5
        settings.largest = ["100.00 EUR"]
        let policy = PaymentPolicy(
            lifetime: .seconds(60),
            cardTokenLifetime: .seconds(20),
            openPerAccount: 2,
            perDay: 5,
            largest: [try #require(Money(value: "100.00", currency: "EUR"))]
        )
        #expect(settings.policy == policy)
    }
}
