import Foundation
import Kernel
import Operations
import SettingsFixture
import Testing

@testable import Settings

/// The figures of the limits.
struct SettingsLimitTests {
    @Test func `without a limits section the default limits are in force`() throws {
        let limits = try SettingsFixture.minimal().load().settings.limits
        #expect(limits.rates == LimitRates())
        #expect(limits.rates.logins.initiatePerAddress == RateLimit(burst: 300, every: .milliseconds(200)))
        #expect(limits.rates.logins.initiatePerAccount == RateLimit(burst: 15, every: .seconds(60)))
        #expect(limits.rates.logins.pollsPerOperation == RateLimit(burst: 20, every: .milliseconds(200)))
        #expect(limits.rates.logins.quietPeriod == .seconds(900))
    }

    @Test func `the threat model has the figures of the config`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/threat-model.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let limits = LimitRates()
        let figures = [
            "initiatePerAddress": limits.logins.initiatePerAddress,
            "openingsPerAddress": limits.logins.openingsPerAddress,
            "signInsPerAddress": limits.accounts.signInsPerAddress,
            "ownerViewsPerSession": limits.accounts.ownerViewsPerSession,
            "pollsPerOperation": limits.logins.pollsPerOperation,
            "strangersPerAddress": limits.logins.strangersPerAddress,
            "backchannelPerClient": limits.logins.backchannelPerClient,
        ]
        var seen: Set<String> = []
        for match in text.matches(of: /(\d+)[^|`;(]*? at once and (\d+\/[smh])[^|`;(]*\(`limits\.(\w+)`\)/) {
            let (_, burst, rate, name) = match.output
            let limit = try #require(figures[String(name)], "\(name)")
            var reading = SettingsReading(
                ReadingContext(dataFolder: "", mode: .laptop, environment: [:], files: .disk, root: .builtIn)
            )
            let period = try SettingRule<Duration>.rate.parse(String(rate), "", &reading)
            #expect(burst == "\(limit.burst)" && period == limit.period, "\(match.output.0)")
            seen.insert(String(name))
        }
        #expect(
            seen.isSuperset(of: [
                "openingsPerAddress", "signInsPerAddress", "ownerViewsPerSession", "backchannelPerClient",
            ])
        )
    }

    @Test func `each can be written, in the file and from outside`() throws {
        let fixture = SettingsFixture.minimal(
            """
            limits:
              initiatePerAddress: {burst: 3000, rate: 50/s}
              initiatePerAccount: {rate: 100/h}
              quietPeriod: 1h
            """
        ).setting("limits.pollsPerOperation.burst=7", "limits.openingsPerAddress.rate=1/m")
        let rates = try fixture.load().settings.limits.rates
        #expect(rates.logins.initiatePerAddress == RateLimit(burst: 3000, every: .milliseconds(20)))
        #expect(rates.logins.initiatePerAccount == RateLimit(burst: 15, every: .seconds(36)))
        #expect(rates.logins.pollsPerOperation.burst == 7 && rates.logins.openingsPerAddress.period == .seconds(60))
        #expect(rates.logins.quietPeriod == .seconds(3600))
    }

    @Test func `an invalid limit is an error with its line`() {
        let fixture = SettingsFixture.minimal(
            """
            limits:
              initiatePerAddress: {burst: 0, rate: 5}
              initiatePerAccount:
                rate: 0/s
              pollsPerOperation: 5/s
              strangersPerAddress: {rate: 5/d}
              quietPeriod: 1s
            """
        )
        let form = "is not a rate. Write a number, a slash and s, m or h, like 5/s or 1/m"
        #expect(
            fixture.faults() == [
                #"config/vestibule.yaml:4: limits.initiatePerAddress.burst: "0" is out of range. It takes 1 to 1000000"#,
                #"config/vestibule.yaml:4: limits.initiatePerAddress.rate: "5" "# + form,
                #"config/vestibule.yaml:6: limits.initiatePerAccount.rate: "0/s" is out of range. It takes 1 to 1000000"#,
                "config/vestibule.yaml:7: limits.pollsPerOperation: takes keys (burst, rate), not a value",
                #"config/vestibule.yaml:8: limits.strangersPerAddress.rate: "5/d" "# + form,
                #"config/vestibule.yaml:9: limits.quietPeriod: "1s" is out of range. It takes 1m to 30d"#,
            ]
        )
    }
}
