/// The languages of this server's pages and mails, each under the owner's brand.
///
/// They are the built-in ones with the operator's changes, and those that the operator adds.
package struct Languages: Sendable {
    /// Every language, the one for visitors who prefer none of them first.
    package let all: [LocalizedStrings]
    package let brands: Brands
    /// Identifies all texts and brands.
    package let mark: String

    package init(_ texts: [LocalizedStrings], brands: Brands) {
        all = texts.map { $0.branded(by: brands) }
        self.brands = brands
        let clients = brands.clients.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value.mark] }
        mark = BrandMark.of(all.map { "\($0.look)" } + clients)
    }

    package static let builtIn = Languages(LocalizedStrings.builtIn, brands: .builtIn)

    package var standard: LocalizedStrings { all.first ?? .english }

    package var tags: [String] { all.map(\.language) }

    /// Returns the texts of that language, by its primary tag in lower case.
    package subscript(language: String) -> LocalizedStrings? { all.first { $0.language == language } }

    /// Returns the texts for a tag like `fr` or `fr-CA`, or the standard ones if the language is not available.
    package func texts(tagged tag: String) -> LocalizedStrings {
        self[tag.prefix { $0 != "-" }.lowercased()] ?? standard
    }
}

extension Languages {
    /// Returns the built-in languages with an operator's texts, and the languages that these add.
    ///
    /// A text that an added language lacks is the English one.
    package init(adding texts: [TextFile], brands: Brands) {
        var all = LocalizedStrings.builtIn
        // English comes first, because the operator's English is what an added language falls back to.
        let (english, others) = (all[0].language, texts.sorted { $0.language < $1.language })
        for file in others.filter({ $0.language == english }) + others.filter({ $0.language != english }) {
            let index = all.firstIndex { $0.language == file.language }
            let base = all[index ?? 0]
            let sections = base.sections.merging(file.sections) { own, added in
                own.merging(added) { _, added in added }
            }
            let whole = LocalizedStrings(language: file.language, sections: sections)
            if let index { all[index] = whole } else { all.append(whole) }
        }
        self.init(all, brands: brands)
    }
}

/// An operator's texts in one language, by section and key, each of which was checked when it was read.
package struct TextFile: Sendable, Equatable {
    package let language: String
    package let sections: [String: [String: String]]

    package init(language: String, sections: [String: [String: String]]) {
        self.language = language
        self.sections = sections
    }

    /// The number of texts.
    package var count: Int { sections.values.reduce(0) { $0 + $1.count } }
}
