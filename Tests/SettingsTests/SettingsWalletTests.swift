import CodeFlow
import Kernel
import SettingsFixture
import Testing
import Wallet

@testable import Settings

/// Banks and the wallet in the config.
struct SettingsWalletTests {
    private static let whole = """
        surfaces: {mobile: {enabled: true}}
        banks:
          td-bsim:
            name: TD Bank
            logo: https://bank.example.com/logo.png
            authorizeURL: https://bank.example.com/authorize
            tokenURL: https://bank.example.com/token
            cardsURL: https://bank.example.com/cards
            clientID: vestibule
            clientSecret: env:BANK_SECRET
            authentication: basic
            scopes: [cards, profile]
            issuer: https://bank.example.com
            timeout: 3s
        wallet:
          deepLinks: ["com.example.app://cards", "https://app.example.com/cards"]
          payments: {lifetime: 2m, cardTokenLifetime: 30s, openPerAccount: 3, perDay: 7, largest: [100.00 EUR, 90 USD]}

        """

    private func fixture(_ text: String) -> SettingsFixture {
        var fixture = SettingsFixture.minimal(text)
        fixture.environment["BANK_SECRET"] = "hush"
        return fixture
    }

    /// The whole with one text in the place of another.
    private func changed(_ old: String, _ new: String) -> SettingsFixture {
        fixture(Self.whole.replacing(old, with: new))
    }

    @Test func `without a banks section there are none, and enrolments ask for confirmation`() throws {
        let settings = try SettingsFixture.minimal().load().settings
        #expect(settings.banks.isEmpty)
        #expect(settings.wallet == WalletSettings())
        #expect(settings.wallet.confirmEnrollment)
        #expect(settings.wallet.deepLinks == ["mwsim://enrollment/callback"])
    }

    @Test func `a bank and the wallet are read whole`() throws {
        let settings = try fixture(Self.whole).load().settings
        let bank = Bank(
            id: "td-bsim",
            name: "TD Bank",
            logoURL: "https://bank.example.com/logo.png",
            server: AuthorizationServer(
                issuer: "https://bank.example.com",
                authorizeURL: "https://bank.example.com/authorize",
                tokenURL: "https://bank.example.com/token",
                client: ClientRegistration(id: "vestibule", secret: Secret("hush"), authentication: .basic),
                scopes: ["cards", "profile"]
            ),
            cardsURL: "https://bank.example.com/cards",
            timeout: .seconds(3)
        )
        #expect(settings.banks == ["td-bsim": bank])
        var wallet = WalletSettings()
        wallet.deepLinks = ["com.example.app://cards", "https://app.example.com/cards"]
        wallet.payments = PaymentPolicy(
            lifetime: .seconds(120),
            cardTokenLifetime: .seconds(30),
            openPerAccount: 3,
            perDay: 7,
            largest: ["100.00 EUR", "90 USD"].compactMap { Money(parsing: $0) }
        )
        #expect(settings.wallet == wallet)
    }

    @Test func `a bank may have a client without a secret`() throws {
        let text = Self.whole
            .replacing("authentication: basic", with: "authentication: none")
            .replacing("    clientSecret: env:BANK_SECRET\n", with: "")
        let bank = try #require(try fixture(text).load().settings.banks["td-bsim"])
        #expect(bank.server.client.secret == nil)
    }

    @Test(arguments: [
        ("    name: TD Bank\n", "", "banks.td-bsim.name: is missing"),
        ("    cardsURL: https://bank.example.com/cards\n", "", "banks.td-bsim.cardsURL: is missing"),
        (
            "https://bank.example.com/token", "http://bank.example.com/token",
            "banks.td-bsim.tokenURL: \"http://bank.example.com/token\" is plain http. Only https is allowed over a network"
        ),
        ("https://bank.example.com/logo.png", "http://bank.example.com/logo.png", "banks.td-bsim.logo: "),
        ("    clientSecret: env:BANK_SECRET\n", "", "banks.td-bsim.clientSecret: is missing. Write env:NAME"),
        (
            "authentication: basic", "authentication: none",
            "banks.td-bsim.clientSecret: does not go with authentication: none"
        ),
        ("env:BANK_SECRET", "env:NO_SECRET", "banks.td-bsim.clientSecret: the environment has no variable NO_SECRET"),
        ("td-bsim:", "TD:", "banks.TD: is not a name"),
        ("[cards, profile]", "[\"cards profile\"]", "is not a scope"),
        ("com.example.app://cards", "javascript:alert(1)", "has a scheme that no login may return to"),
        ("com.example.app://cards", "com.example.app://cards?to=x", "has a query. Write only the part before it"),
        ("com.example.app://cards", "com.example.app://cards#x", "has a fragment"),
        ("100.00 EUR", "100,00 EUR", "wallet.payments.largest[0]: "),
        ("100.00 EUR", "0.00 EUR", "is not an amount above zero with its currency, like 1000.00 EUR"),
        ("90 USD", "90 EUR", "wallet.payments.largest: has EUR twice. Write one amount for each currency"),
        ("lifetime: 2m", "lifetime: 2s", "wallet.payments.lifetime: \"2s\" is out of range"),
        ("openPerAccount: 3", "openPerAccount: 0", "wallet.payments.openPerAccount: \"0\" is out of range"),
    ])
    func `what does not fit is a fault with its key`(old: String, new: String, message: String) {
        let faults = changed(old, new).faults()
        #expect(faults.contains { $0.contains(message) }, "\(faults)")
    }

    @Test func `an app's enrolment needs somewhere to end`() {
        let links = #"["com.example.app://cards", "https://app.example.com/cards"]"#
        let faults = changed(links, "[]").faults()
        #expect(faults.contains { $0.contains("wallet.deepLinks: is empty") }, "\(faults)")
    }

    @Test func `banks without their routes are warned about`() throws {
        let warnings = try changed("{mobile: {enabled: true}}", "{}").load().warnings.map(\.key)
        #expect(warnings.contains("banks"))
        #expect(try !fixture(Self.whole).load().warnings.map(\.key).contains("banks"))
    }

    /// RFC 9700 §4.7: without the question the cards of a link's reader end in the wallet of its sender.
    @Test func `not to ask is for laptops, and warned about there`() throws {
        let text = Self.whole.replacing("wallet:\n", with: "wallet:\n  confirmEnrollment: false\n")
        let warnings = try fixture(text).load().warnings.map(\.key)
        #expect(warnings.contains("wallet.confirmEnrollment"))
        #expect(try !fixture(Self.whole).load().warnings.map(\.key).contains("wallet.confirmEnrollment"))
        let faults = fixture("mode: production\n" + text).faults()
        let message = "wallet.confirmEnrollment: production refuses false. Write true, or leave it out"
        #expect(faults.contains { $0.contains(message) }, "\(faults)")
        let asking = fixture("mode: production\n" + Self.whole).faults()
        #expect(!asking.contains { $0.contains("wallet.") }, "\(asking)")
    }

    @Test func `the secret is shown to nobody`() throws {
        let settings = try fixture(Self.whole).load().settings
        #expect(!String(describing: settings.banks).contains("hush"))
    }
}
