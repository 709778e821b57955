// Web: the texts that people read, as files that the compiler puts into the program.
// Owns texts (one JSON file for each language), pages, scripts and styles, and how they are read and escaped.
// Knows no request: HTTPAPI and Outbound fill the pages and letters.
// Survives hostile values: the content of a page is escaped scalar by scalar.
// A broken file fails a test, or stops the program at its start. It never fails a request.

package import Kernel

/// The texts of one language, and the brand that shows them, on pages and in mails.
package struct LocalizedStrings: Sendable {
    /// The language's tag (RFC 5646).
    package let language: String
    /// The texts by section and key: the key of a nested member contains dots, like `over.title`.
    package let sections: [String: [String: String]]
    /// Identifies the texts of scripts.
    let scriptsMark: String
    /// Identifies all texts, which an operator may have changed.
    private let textsMark: String
    /// The brand of the page or the mail.
    package private(set) var brand = Brand.builtIn
    /// The brands of this server.
    private var brands = Brands.builtIn
    /// The address of the server's root relative to the page, like `../../`.
    package var root = ""

    init(language: String, sections: [String: [String: String]]) {
        self.language = language
        self.sections = sections
        scriptsMark = BrandMark.of([language] + Self.listed(sections["scripts", default: [:]]))
        textsMark = BrandMark.of(sections.sorted { $0.key < $1.key }.flatMap { [$0.key] + Self.listed($0.value) })
    }

    /// A language of which a page needs no text, only the tag.
    package init(untranslated language: String) { self.init(language: language, sections: [:]) }

    private static func listed(_ texts: [String: String]) -> [String] {
        texts.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
    }

    /// The language for visitors who prefer none of the available ones.
    package static let english = embedded("en")

    /// Every built-in language, English first, read once when the program starts.
    package static let builtIn: [LocalizedStrings] = [english] + ["fr", "es", "sv", "de"].map(embedded)

    private static func embedded(_ language: String) -> LocalizedStrings {
        let sections = try? sections(of: EmbeddedFiles.text(of: "texts/\(language).json"))
        precondition(sections != nil, "texts/\(language).json can't be read")
        return LocalizedStrings(language: language, sections: sections ?? [:])
    }

    /// Returns the same texts under the owner's brand.
    func branded(by brands: Brands) -> LocalizedStrings {
        var branded = self
        branded.brands = brands
        branded.brand = brands.owner
        return branded
    }

    /// Returns the same texts under the brand of a client; without a client, or for one without a brand, the owner's.
    package func branded(for client: String?) -> LocalizedStrings {
        var branded = self
        branded.brand = brands.brand(of: client)
        return branded
    }

    /// Identifies all that a page shows besides its content.
    package var look: Look { Look(texts: textsMark, language: language, brand: brand.mark, root: root) }

    /// What a page shows besides its content: pages with the same look and content are the same.
    package struct Look: Hashable, Sendable {
        let texts: String
        let language: String
        let brand: String
        let root: String
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
    /// A language file: its texts, and the paths of members that are neither texts nor objects of texts.
    package struct Reading: Sendable {
        /// The texts by section and key.
        package fileprivate(set) var sections: [String: [String: String]] = [:]
        /// Paths like `signIn.allow`, in no order.
        package fileprivate(set) var invalid: [String] = []
    }

    /// Reads a language file: an object of sections, whose members are texts or objects of texts.
    package static func sections(of text: String) throws(MalformedJSONError) -> [String: [String: String]] {
        let reading = try reading(of: text)
        guard reading.invalid.isEmpty else { throw MalformedJSONError() }
        return reading.sections
    }

    /// Reads a language file, with the members that are no texts apart.
    package static func reading(of text: String) throws(MalformedJSONError) -> Reading {
        guard case .object(let sections) = try JSONReader.read(Array(text.utf8)) else { throw MalformedJSONError() }
        var reading = Reading()
        for (name, section) in sections {
            guard case .object(let members) = section else {
                reading.invalid.append(name)
                continue
            }
            for (key, value) in members { gather(value, at: key, of: name, into: &reading) }
        }
        return reading
    }

    private static func gather(
        _ value: JSONValue,
        at path: String,
        of section: String,
        into reading: inout Reading
    ) {
        switch value {
        case .string(let text): reading.sections[section, default: [:]][path] = text
        case .object(let members):
            for (name, member) in members { gather(member, at: "\(path).\(name)", of: section, into: &reading) }
        default: reading.invalid.append("\(section).\(path)")
        }
    }
}
