package import Kernel

/// The link of an account to a bank, which is kept after unlinking, because the rows of cards refer to it.
package struct BankLink: Sendable, Equatable {
    package let account: AccountID
    package let bankID: String
    /// The bank's name and logo, as the config had them at the last enrolment or sync.
    package var name: String
    package var logoURL: String?
    /// The encrypted tokens; `nil` once unlinked.
    package var tokens: EncryptedTokens?
    package var enrolledAt: Instant
    package var unlinkedAt: Instant?
    /// The version for compare-and-swap, which every change raises by one.
    package var version: Int

    package init(
        account: AccountID,
        bankID: String,
        name: String,
        logoURL: String?,
        tokens: EncryptedTokens?,
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

    /// A bank's tokens as they are stored.
    package struct EncryptedTokens: Sendable, Equatable {
        package let access: String
        package let refresh: String?
        /// The expiry of the access token; `nil` if the bank states none.
        package let expiresAt: Instant?
        /// The end of the lease of the process that exchanges the refresh token; `nil` if none does.
        package var leaseEnd: Instant?

        package init(access: String, refresh: String?, expiresAt: Instant?, leaseEnd: Instant? = nil) {
            self.access = access
            self.refresh = refresh
            self.expiresAt = expiresAt
            self.leaseEnd = leaseEnd
        }

        /// Whether they are the same tokens, leased or not.
        func isSame(as other: EncryptedTokens) -> Bool { access == other.access && refresh == other.refresh }
    }

    package var isOpen: Bool { unlinkedAt == nil }

    /// Returns the link after a sync: with the config's name and logo for the bank, and with new tokens if there are any.
    func renewed(_ tokens: EncryptedTokens?, at bank: Bank) -> BankLink {
        var link = renewed(tokens)
        link.name = bank.name
        link.logoURL = bank.logoURL
        return link
    }

    /// Returns the link with new tokens; `nil` keeps the present ones.
    func renewed(_ tokens: EncryptedTokens?) -> BankLink {
        var link = self
        link.tokens = tokens ?? self.tokens
        link.version += 1
        return link
    }

    /// Returns the link with a lease of its tokens until `end`, or without one.
    func leased(until end: Instant?) -> BankLink {
        var link = renewed(nil)
        link.tokens?.leaseEnd = end
        return link
    }

    mutating func close(at now: Instant) {
        tokens = nil
        unlinkedAt = now
        version += 1
    }
}
