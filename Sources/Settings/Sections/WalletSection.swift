import Kernel
package import Wallet

/// The wallet: how its enrolments at banks end, and what may be paid.
package struct WalletSettings: Sendable, Equatable {
    /// The first is the one of apps that name none.
    package var deepLinks = ["mwsim://enrollment/callback"]
    package var confirmEnrollment = true
    package var payments = PaymentPolicy()
}

extension SettingsSchema {
    static let wallet = SettingSection<WalletSettings>([
        .list(
            "deepLinks",
            \.deepLinks,
            as: .deepLink,
            help: "The links in apps where an enrolment at a bank may end. The first is for apps that name none."
        ),
        .value(
            "confirmEnrollment",
            \.confirmEnrollment,
            as: .flag,
            help: "Whether an enrolment that an app began asks at its end whose wallet gets the cards."
        ),
        .group("payments", \.payments, keys: payments, help: "The limits of payments with the wallet's cards."),
    ])

    static let payments = SettingSection<PaymentPolicy>([
        .value(
            "lifetime",
            \.lifetime,
            as: .duration(.seconds(30)...(.seconds(900))),
            help: "The time from the request for a payment to the last moment to confirm it."
        ),
        .value(
            "cardTokenLifetime",
            \.cardTokenLifetime,
            as: .duration(.seconds(10)...(.seconds(600))),
            help: "The time from a payment's confirmation to the last moment to spend its card token."
        ),
        .value(
            "openPerAccount",
            \.openPerAccount,
            as: .integer(1...100),
            help: "Payments of one account that wait at a time."
        ),
        .value("perDay", \.perDay, as: .integer(1...10_000), help: "Payments that one account may begin in 24 hours."),
        .list(
            "largest",
            \.largest,
            as: .money,
            help:
                "The largest payment in each currency, like 1000.00 EUR, by default without a limit. With a list, other currencies are refused."
        ),
    ])
}

extension SettingRule where Value == String {
    /// An address that leads into an app, to which the outcome is added as its query.
    static var deepLink: Self {
        let whole = returnURL
        return Self(expected: "a link like com.example.app://cards") { text, key, reading throws(SettingError) in
            let link = try whole.parse(text, key, &reading)
            guard !link.contains("?") else { throw .refusing(text, "has a query. Write only the part before it") }
            return link
        }
    }
}

extension SettingRule where Value == Money {
    /// A sum with its currency.
    static var money: Self {
        parsing(
            { Money(parsing: $0) },
            expected: "an amount like 1000.00 EUR",
            otherwise: "is not an amount above zero with its currency, like 1000.00 EUR",
            text: { "\($0.value) \($0.currency)" }
        )
    }
}
