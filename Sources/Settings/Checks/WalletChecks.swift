import CodeFlow
import Kernel
import Wallet

extension SettingsChecks {
    /// Checks the keys of banks against one another, and against the wallet's keys that they need.
    static func wallet(_ settings: Settings, in reading: inout SettingsReading) {
        for (id, bank) in settings.banks.sorted(by: { $0.key < $1.key }) {
            secret(of: bank, at: "banks.\(id)", in: &reading)
        }
        if !settings.banks.isEmpty {
            if settings.wallet.deepLinks.isEmpty {
                reading.fault(
                    "wallet.deepLinks",
                    "is empty. Write the link in the app where an enrolment at a bank ends"
                )
            }
            if settings.surfaces["mobile"]?.enabled != true {
                reading.warn("banks", "are configured, but surfaces.mobile is off, so nobody can add cards")
            }
        }
        let currencies = settings.wallet.payments.largest.map(\.currency)
        for (index, currency) in currencies.enumerated() where currencies[..<index].contains(currency) {
            reading.fault("wallet.payments.largest", "has \(currency) twice. Write one amount for each currency")
        }
    }

    private static func secret(of bank: Bank, at key: String, in reading: inout SettingsReading) {
        // A secret that is written and can't be read is already reported as a fault.
        let isWritten = reading.origins["\(key).clientSecret"] != nil
        switch bank.server.client.authentication {
        case .none where isWritten:
            reading.fault("\(key).clientSecret", "does not go with authentication: none")
        case .post where !isWritten, .basic where !isWritten:
            reading.fault(
                "\(key).clientSecret",
                "is missing. Write env:NAME or file:PATH, or authentication: none for a client without a secret"
            )
        case .none, .post, .basic: break
        }
    }
}
