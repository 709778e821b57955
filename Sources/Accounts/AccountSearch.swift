internal import Foundation
package import Kernel

/// A search for accounts, for operators.
package struct AccountSearch: Sendable, Equatable {
    /// A part of a name, a user name or an address, folded; empty for all accounts.
    package let text: String
    /// The last account of the page before; `nil` for the first page.
    package let after: Position?
    package let limit: Int

    package init(text: String = "", after: Position? = nil, limit: Int) {
        self.text = Self.folded(text)
        self.after = after
        self.limit = limit
    }

    /// Returns a text in the form in which texts are compared: in lower case, in Unicode's normal form C (UAX #15).
    ///
    /// Databases differ in which letters they know the other case of.
    package static func folded(_ text: String) -> String { text.lowercased().precomposedStringWithCanonicalMapping }

    /// The place of an account in the list, the newest first.
    package struct Position: Sendable, Equatable {
        package let createdAt: Instant
        package let id: AccountID

        package init(_ account: Account) {
            createdAt = account.createdAt
            id = account.id
        }
    }
}

extension AccountService {
    /// Returns the accounts with a part of a name, a user name or an address, the newest first.
    ///
    /// - Parameters:
    ///   - text: The part; empty for all accounts.
    ///   - last: The id of the last account of the page before; `nil` for the first page.
    ///   - limit: The most accounts that are returned.
    /// - Returns: The accounts.
    /// - Throws: ``AccountError/unknownAccount(_:)`` if `last` is unknown, and the store's error.
    package func list(matching text: String, after last: String?, limit: Int) async throws -> [AccountRecord] {
        var after: AccountSearch.Position?
        if let last { after = AccountSearch.Position(try await show(last).account) }
        return try await store.list(AccountSearch(text: text, after: after, limit: limit))
    }
}
