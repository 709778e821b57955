package import Kernel

/// The link of an account to a bank, kept after its end, because the rows of its cards refer to it.
package struct BankLink: Sendable, Equatable {
    package let account: AccountID
    package let bankID: String
    /// The bank's name and logo as the config had them when the bank was last asked.
    package var name: String
    package var logoURL: String?
    /// The sealed tokens; `nil` once unlinked.
    package var tokens: SealedTokens?
    package var enrolledAt: Instant
    package var unlinkedAt: Instant?
    /// The version, which rises by one with every change, and over which changes are made.
    package var version: Int

    package init(
        account: AccountID,
        bankID: String,
        name: String,
        logoURL: String?,
        tokens: SealedTokens?,
        enrolledAt: Instant,
        unlinkedAt: Instant? = nil,
        version: Int = 1
    ) {
        self.account = account
        self.bankID = bankID
        self.name = name
        self.logoURL = logoURL
        self.tokens = tokens
        self.enrolledAt = enrolledAt
        self.unlinkedAt = unlinkedAt
        self.version = version
    }

    /// A bank's tokens as stored.
    package struct SealedTokens: Sendable, Equatable {
        package let access: String
        package let refresh: String?
        /// The expiry of the access token; `nil` where the bank states none.
        package let expiresAt: Instant?

        package init(access: String, refresh: String?, expiresAt: Instant?) {
            self.access = access
            self.refresh = refresh
            self.expiresAt = expiresAt
        }
    }

    package var isOpen: Bool { unlinkedAt == nil }

    /// Returns the link after a sync: with the config's name and logo of the bank, and new tokens, if any.
    func renewed(_ tokens: SealedTokens?, at bank: Bank) -> BankLink {
        var link = renewed(tokens)
        link.name = bank.name
        link.logoURL = bank.logoURL
        return link
    }

    /// Returns the link with new tokens; `nil` keeps the existing ones.
    func renewed(_ tokens: SealedTokens?) -> BankLink {
        var link = self
        link.tokens = tokens ?? self.tokens
        link.version += 1
        return link
    }

    mutating func close(at now: Instant) {
        tokens = nil
        unlinkedAt = now
        version += 1
    }
}
