import Accounts
import Operations
import Testing

@testable import HTTPAPI
@testable import Outbound
@testable import Web

/// The texts whose keys are a module's own values: one for each, and no other.
struct LanguageKeyTests {
    private static func keys(of section: String) throws -> Set<String> {
        Set(try #require(LocalizedStrings.english.sections[section]).keys)
    }

    private static func pages(of section: String) throws -> Set<String> {
        Set(try keys(of: section).map { String($0.prefix { $0 != "." }) })
    }

    @Test func `every failure has a sentence, and every page of a landing its words`() throws {
        #expect(try Self.keys(of: "failures") == Set(FailureCode.allCases.map(\.rawValue)))
        #expect(try Self.keys(of: "sessionFailures").isSubset(of: Self.keys(of: "failures")))
        #expect(try Self.pages(of: "landing") == Set(LandingPages.Page.allCases.map(\.rawValue)))
        #expect(try Self.pages(of: "sessionLanding").isSubset(of: Self.pages(of: "landing")))
        for section in ["landing", "sessionLanding"] {
            for page in try Self.pages(of: section) {
                #expect(LocalizedStrings.english.page(page, in: section) != nil, "\(section).\(page)")
            }
        }
    }

    @Test func `every mail has a subject and a body`() throws {
        let letters = LetterKey.allCases.map(\.rawValue) + AccountNotice.allCases.map(\.rawValue)
        #expect(try Self.pages(of: "letters") == Set(letters))
        for letter in letters {
            for part in ["subject", "body"] {
                #expect(LocalizedStrings.english.text("\(letter).\(part)", in: "letters") != nil, "\(letter)")
            }
        }
        for letter in [LetterKey.signInCode, .addressProof] {
            for part in ["link", "validity", "unasked"] {
                #expect(LocalizedStrings.english.text("\(letter.rawValue).\(part)", in: "letters") != nil, "\(letter)")
            }
        }
    }
}
