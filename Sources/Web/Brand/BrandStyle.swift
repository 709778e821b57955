/// The style rules of a brand: only values of the variables that the styles of pages use.
///
/// They are built of colours and numbers alone, never of a text from the config.
enum BrandStyle {
    static func rules(_ settings: BrandSettings) -> String {
        [settings.palette.map(colours), settings.radius.map(corners)].compactMap(\.self).joined(separator: "\n")
    }

    private static func colours(_ palette: BrandPalette) -> String {
        let light = variables(palette.light, .light)
        let dark = variables(palette.dark, .dark)
        return ":root{\(light)}\n@media(prefers-color-scheme:dark){:root{\(dark)}}"
    }

    private static func variables(_ accent: BrandColour, _ scheme: BrandPalette.Scheme) -> String {
        let tint = accent.hex + (String(scheme.tint, radix: 16))
        return "--accent:\(accent.hex);--on-accent:\(BrandPalette.text(on: accent).hex);--tint:\(tint)"
    }

    private static func corners(_ radius: Int) -> String {
        ":root{--radius:\(radius)px;--radius-card:\(radius * 5 / 3)px}"
    }
}
