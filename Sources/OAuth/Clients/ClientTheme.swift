import Kernel

/// The look of a client of the database by the operator's word: texts by the keys of a theme in the config.
///
/// A client cannot set it: metadata of a registration have no theme (T-163).
package struct ClientTheme: Sendable, Hashable {
    /// Keys like `accent` and `links.help`.
    package let values: [String: String]

    package init(_ values: [String: String]) { self.values = values }

    /// The most bytes of ``text``.
    static let longest = 8192

    /// The theme as a JSON object, as it is stored.
    package var text: String { JSONValue.object(values.mapValues { .string($0) }).text }

    /// Reads ``text``; `nil` for anything else.
    package init?(parsing text: String) {
        guard case .object(let members) = try? JSONReader.read(Array(text.utf8)) else { return nil }
        var values: [String: String] = [:]
        for (key, value) in members {
            guard case .string(let text) = value else { return nil }
            values[key] = text
        }
        self.init(values)
    }
}

extension OAuthClient {
    /// What people are shown of a client.
    package struct Appearance: Sendable, Hashable {
        /// `client_name`.
        package var name: String
        /// `nil`: its pages have the owner's look, or that of its theme in the config.
        package var theme: ClientTheme?

        package init(name: String, theme: ClientTheme? = nil) {
            self.name = name
            self.theme = theme
        }
    }

    /// `client_name`: the name that people are shown.
    package var name: String {
        get { appearance.name }
        set { appearance.name = newValue }
    }
}
