package import Kernel

/// The content of `/.well-known/security.txt`: where to report a weakness of this server (RFC 9116).
package struct SecurityText: Sendable, Equatable {
    /// The addresses for reports, the preferred one first: `https:`, `mailto:` or `tel:`.
    package var contacts: [String] = []
    /// The time from which the file counts as stale; `nil`: ``lifetime`` from each request on.
    package var expires: Instant?
    package var policy: String?
    /// The address of the key for encrypted reports, never the key itself.
    package var encryption: String?
    package var acknowledgments: String?
    package var hiring: String?
    /// The languages of reports (RFC 5646), by default any.
    package var languages: [String] = []

    package init() {}

    /// The lifetime of a file without a written end: less than the year that RFC 9116 §2.5.5 recommends at most.
    static let lifetime: Duration = .seconds(180 * 86_400)

    /// Returns the file, whose lines end as RFC 9116 §4 allows.
    ///
    /// With a public address without https the file does not name its own address (RFC 9116 §2.5.2).
    func text(at now: Instant, publicURL: String) -> String {
        let isSecure = publicURL.hasPrefix("https://")
        let fields: [(String, String?)] =
            contacts.map { ("Contact", $0) } + [
                ("Expires", end(at: now).internetDate), ("Encryption", encryption),
                ("Acknowledgments", acknowledgments),
                ("Preferred-Languages", languages.isEmpty ? nil : languages.joined(separator: ", ")),
                ("Canonical", isSecure ? publicURL + SecurityTextAPI.path : nil), ("Policy", policy),
                ("Hiring", hiring),
            ]
        return fields.compactMap { name, value in value.map { "\(name): \($0)\n" } }.joined()
    }

    /// Returns the written end, or the computed one, which is the same all day long.
    private func end(at now: Instant) -> Instant {
        if let expires { return expires }
        let day: Int64 = 86_400
        return Instant(seconds: (now + Self.lifetime).seconds / day * day)
    }
}
