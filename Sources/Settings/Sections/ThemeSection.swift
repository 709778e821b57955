import Web

extension SettingsSchema {
    /// The keys of a brand, of the owner's as of a client's.
    static let theme = SettingSection<BrandSettings>([
        .value(
            "name",
            \.name,
            as: SettingRule<String>.brandName.optional,
            help: "The name that pages and mails show, by default passkeys.rpName, or for a client its name.",
            example: "Example"
        ),
        .value(
            "logo",
            \.logo,
            as: SettingRule<BrandLogo>.logo.optional,
            help:
                "A still PNG or WebP image of at most 128 KiB and 1024 pixels in each direction, for light and dark. Read again on SIGHUP.",
            example: "brand/logo.png"
        ),
        .value(
            "logoDark",
            \.logoDark,
            as: SettingRule<BrandLogo>.logo.optional,
            help: "The same on dark pages, by default logo.",
            example: "brand/logo-dark.png"
        ),
        .value(
            "accent",
            \.accent,
            as: SettingRule<BrandColour>.colour.optional,
            help: "The colour of buttons and links, which text needs a contrast of 4.5 with (WCAG 2.2 AA).",
            example: "\"#0b57d0\""
        ),
        .value(
            "accentDark",
            \.accentDark,
            as: SettingRule<BrandColour>.colour.optional,
            help: "The same on dark pages, by default accent, as much lighter as it has to be.",
            example: "\"#a8c7fa\""
        ),
        .value(
            "radius",
            \.radius,
            as: SettingRule<Int>.integer(0...24).optional,
            help: "The radius of the corners of buttons and fields, in pixels.",
            example: "12"
        ),
        .group("links", \.links, keys: brandLinks, help: "Links at the end of each page, each of them https."),
        .value(
            "footer",
            \.footer,
            as: SettingRule<String>.brandLine.optional,
            help: "A line at the end of each page.",
            example: "Example Ltd, 1 Example Street"
        ),
    ])

    private static let brandLinks = SettingSection<BrandLinks>([
        link("help", \.help, help: "The page that helps, which mails about changes name too."),
        link("terms", \.terms, help: "The terms of use."),
        link("privacy", \.privacy, help: "The privacy notice."),
        link("imprint", \.imprint, help: "The imprint."),
    ])

    private static func link(
        _ name: String,
        _ property: any WritableKeyPath<BrandLinks, String?> & Sendable,
        help summary: String
    ) -> SettingField<BrandLinks> {
        .value(
            name,
            property,
            as: SettingRule<String>.webLink.optional,
            help: summary,
            example: "https://www.example.com/\(name)"
        )
    }
}
