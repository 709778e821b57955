import Kernel
import Web

extension SettingsChecks {
    /// Checks that links and buttons in a brand's colours can be read (WCAG 2.2, success criterion 1.4.3), and that no
    /// page is without a logo that dark pages have.
    static func themes(_ settings: Settings, in reading: inout SettingsReading) {
        check(settings.theme, at: "theme", in: &reading)
        for client in settings.clients {
            guard let theme = client.theme else { continue }
            check(theme, at: "clients.\(client.id).theme", in: &reading)
        }
    }

    static func check(_ theme: BrandSettings, at key: String, in reading: inout SettingsReading) {
        check(theme.accent, .light, at: "\(key).accent", in: &reading)
        check(theme.accentDark, .dark, at: "\(key).accentDark", in: &reading)
        if theme.logoDark != nil, theme.logo == nil {
            reading.fault("\(key).logoDark", "needs \(key).logo, which light pages show")
        }
    }

    private static func check(
        _ colour: BrandColour?,
        _ scheme: BrandPalette.Scheme,
        at key: String,
        in reading: inout SettingsReading
    ) {
        guard let colour else { return }
        let weakest = scheme.weakest(of: colour)
        guard weakest.contrast < BrandPalette.textContrast else { return }
        let advice =
            switch scheme {
            case .light: "Choose a darker colour"
            case .dark: "Choose a lighter colour"
            }
        reading.fault(
            key,
            "\(SettingError.quoted(colour.hex)) has a contrast of \(ratio(weakest.contrast)):1 with the page's "
                + "\(weakest.ground.hex), and text needs 4.5:1 (WCAG 2.2 AA). \(advice)"
        )
    }

    /// Returns the ratio with two decimals, rounded down, so that none that fails looks as if it passed.
    private static func ratio(_ contrast: Double) -> String {
        let hundredths = Int(contrast * 100)
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
