import Kernel
import Storage
import Web

extension Settings {
    /// The sections in which daemons that share a database may differ, but for `storage.postgres.notices`.
    private static let ownSections: Set<String> = ["listen", "tls", "log", "metrics", "storage", "audit"]
    /// The keys outside of those in which they may differ.
    private static let ownKeys: Set<String> = [
        "dataFolder", "adminSocket", "secrets.keyFolder", "passkeys.trustFolder", "mail.outbox", "theme.logo",
        "theme.logoDark", "texts",
    ]

    /// A digest of the settings in which all daemons that share a database have to agree.
    ///
    /// It tells no secret: of secrets only the number is in it.
    package var agreement: String {
        let lines =
            SettingsSchema.root.show(self, "")
            .filter { !Self.ownSections.contains($0.info.name) }
            .flatMap(Self.lines) + presentation
            + (storage.postgres.map { ["storage.postgres.notices=\($0.notices)"] } ?? [])
        return String(Base64URL.encode(Digest256(sha256: lines.sorted().joined(separator: "\n")).bytes).prefix(12))
    }

    /// The logos and texts themselves, whose files may be in another place on each machine.
    private var presentation: [String] {
        let themes = [("", theme)] + clients.compactMap { client in client.theme.map { (client.id, $0) } }
        let logos = themes.compactMap { id, theme in theme.logo.map { "logo of \(id)=\($0.image.mark)" } }
        let darkLogos = themes.compactMap { id, theme in theme.logoDark.map { "dark logo of \(id)=\($0.image.mark)" } }
        let texts = (texts?.files ?? []).flatMap { file in
            file.sections.flatMap { section, texts in
                texts.map { "text \(file.language).\(section).\($0.key)=\($0.value)" }
            }
        }
        return logos + darkLogos + texts
    }

    private static func lines(_ setting: ShownSetting) -> [String] {
        let isLogo = setting.key.hasSuffix(".theme.logo") || setting.key.hasSuffix(".theme.logoDark")
        guard !ownKeys.contains(setting.key), !isLogo else { return [] }
        switch setting.content {
        case .value(let value): return ["\(setting.key)=\(value)"]
        case .keys(let below): return below.flatMap(lines)
        }
    }
}
