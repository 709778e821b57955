// Web: the texts that people read, as files that the compiler puts into the program.
// Owns texts (one JSON file for each language), pages, scripts and styles, and how they are read and escaped.
// Knows no request: HTTPAPI and Outbound fill the pages and letters.
// Survives hostile values: the content of a page is escaped scalar by scalar.
// A broken file fails a test, or stops the program at its start. It never fails a request.

import Kernel

/// The texts of one language, on pages and in mails: a file of `texts`.
package struct LocalizedStrings: Sendable {
    /// The language's tag (RFC 5646).
    package let language: String
    /// The texts by section and key: the key of a nested member contains dots, like `over.title`.
    let sections: [String: [String: String]]

    /// The language for visitors who prefer none of the available ones.
    package static let english = embedded("en")

    /// Every language, English first, read once when the program starts.
    package static let all: [LocalizedStrings] = [english] + ["fr", "es", "sv"].map(embedded)

    private static func embedded(_ language: String) -> LocalizedStrings {
        let sections = try? sections(of: EmbeddedFiles.text(of: "texts/\(language).json"))
        precondition(sections != nil, "texts/\(language).json can't be read")
        return LocalizedStrings(language: language, sections: sections ?? [:])
    }

    /// Returns the text of a key, which every language file has, as a test checks.
    package subscript<Key: LocalizationKey>(key: Key) -> String {
        text(key.rawValue, in: Key.section) ?? key.rawValue
    }

    /// Returns the text of a key with a name or a number instead of `%`.
    package func text(_ key: some LocalizationKey, with value: String) -> String {
        self[key].replacing("%", with: value)
    }

    /// Returns the text of a key that is optional in a section.
    package func text(_ key: String, in section: String) -> String? { sections[section]?[key] }

    /// Returns the heading, the sentence and the button of a page.
    package func page<Key: LocalizationKey>(_ key: Key) -> PageStrings {
        page(key.rawValue, in: Key.section) ?? PageStrings(title: key.rawValue, body: "", button: nil)
    }

    /// Returns the heading, the sentence and the button of a page that is optional in a section.
    package func page(_ key: String, in section: String) -> PageStrings? {
        guard let title = text("\(key).title", in: section), let body = text("\(key).body", in: section) else {
            return nil
        }
        return PageStrings(title: title, body: body, button: text("\(key).button", in: section))
    }
}

/// The texts of a page with a heading and a sentence.
package struct PageStrings: Sendable {
    package let title: String
    package let body: String
    /// The button's label, where the page has one.
    package let button: String?
}

/// A key of the language files that the program itself uses.
///
/// Templates and scripts name other keys.
package protocol LocalizationKey: RawRepresentable, Hashable, CaseIterable, Sendable where RawValue == String {
    /// The section of the language files that has these keys.
    static var section: String { get }
}

extension LocalizedStrings {
    /// Reads a language file: an object of sections, whose members are texts or objects of texts.
    static func sections(of text: String) throws(MalformedJSONError) -> [String: [String: String]] {
        guard case .object(let sections) = try JSONReader.read(Array(text.utf8)) else { throw MalformedJSONError() }
        var found: [String: [String: String]] = [:]
        for (name, section) in sections {
            guard case .object(let members) = section else { throw MalformedJSONError() }
            for (key, value) in members { try gather(value, at: key, into: &found[name, default: [:]]) }
        }
        return found
    }

    private static func gather(
        _ value: JSONValue,
        at path: String,
        into texts: inout [String: String]
    ) throws(MalformedJSONError) {
        switch value {
        case .string(let text): texts[path] = text
        case .object(let members):
            for (name, member) in members { try gather(member, at: "\(path).\(name)", into: &texts) }
        default: throw MalformedJSONError()
        }
    }
}
