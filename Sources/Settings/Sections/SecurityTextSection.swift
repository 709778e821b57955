import HTTPAPI
import Kernel

extension SettingsSchema {
    static let securityText = SettingSection<SecurityText>([
        .list(
            "contact",
            \.contacts,
            as: .contactURI,
            help: "The addresses for reports, the preferred one first, like mailto:security@example.com.",
            required: true
        ),
        .value(
            "expires",
            \.expires,
            as: SettingRule<Instant>.date.optional,
            help: "The time from which the file is stale, at most a year ahead. By default always 180 days ahead.",
            example: "2027-06-30T00:00:00Z"
        ),
        .value(
            "policy",
            \.policy,
            as: SettingRule<String>.publicPage.optional,
            help: "The page with the rules for reports.",
            example: "https://example.com/security-policy"
        ),
        .value(
            "encryption",
            \.encryption,
            as: SettingRule<String>.keyURI.optional,
            help: "The address of the key for encrypted reports.",
            example: "https://example.com/pgp-key.txt"
        ),
        .value(
            "acknowledgments",
            \.acknowledgments,
            as: SettingRule<String>.publicPage.optional,
            help: "The page that thanks people for their reports.",
            example: "https://example.com/hall-of-fame"
        ),
        .value(
            "hiring",
            \.hiring,
            as: SettingRule<String>.publicPage.optional,
            help: "The page with open positions in security.",
            example: "https://example.com/jobs"
        ),
        .list("languages", \.languages, as: .languageTag, help: "The languages of reports, by default any."),
    ])
}

extension SettingsChecks {
    /// Checks the end of security.txt against the time of the start, if that is known.
    static func securityText(_ settings: Settings, in reading: inout SettingsReading) {
        guard let expires = settings.securityText?.expires, let now = reading.context.now else { return }
        let key = "securityTxt.expires"
        guard expires > now else {
            return reading.fault(key, "\(expires.internetDate) has passed. Write a later time, or leave it out")
        }
        if expires - now > .seconds(366 * 86_400) {
            reading.warn(key, "is more than a year ahead, which readers of security.txt may not believe")
        }
    }
}
