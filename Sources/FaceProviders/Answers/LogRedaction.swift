import Kernel

/// Cleans a provider's text for the log: it may repeat secrets of the request.
struct LogRedaction: Sendable {
    private let secrets: [Secret]

    init(_ secrets: [Secret]) { self.secrets = secrets.filter { !$0.isEmpty } }

    /// Returns the text on one line, without secrets, cut to `limit` characters; `nil` if nothing is left.
    func logText(_ text: String?, limit: Int) -> String? {
        guard let text else { return nil }
        var line = String(String.UnicodeScalarView(text.unicodeScalars.filter(Self.isPrintable)))
        // Secrets are replaced before cutting, so that no half of a secret stays at the end.
        for secret in secrets { line = line.replacing(secret.expose(), with: "\(secret)") }
        return line.isEmpty ? nil : String(line.prefix(limit))
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
