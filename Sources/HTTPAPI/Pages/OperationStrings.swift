import Operations
import Web

extension FailureCode: LocalizationKey {
    package static var section: String { "failures" }
}

extension LandingPages.Page: LocalizationKey {
    static var section: String { "landing" }
}

extension LocalizedStrings {
    /// Returns the sentence for a failed operation of that kind.
    ///
    /// Enrolments and approvals have sentences of their own where needed, because they sign nobody in.
    func failure(_ code: FailureCode, of kind: OperationKind = .login) -> String {
        let own = kind == .login ? nil : text(code.rawValue, in: "sessionFailures")
        return own ?? self[code]
    }

    /// Returns the texts of that page for an operation of that kind.
    func page(_ page: LandingPages.Page, of kind: OperationKind) -> PageStrings {
        let own = kind == .login ? nil : self.page(page.rawValue, in: "sessionLanding")
        return own ?? self.page(page)
    }
}
