package import Kernel

/// That an account has let the wallet in at a bank, also once that is over: its cards' rows hang on it.
package struct BankLink: Sendable, Equatable {
    package let account: AccountID
    package let bankID: String
    /// The bank's name and logo as the config had them when the bank was last asked.
    package var name: String
    package var logoURL: String?
    /// Sealed; `nil` once unlinked.
    package var tokens: SealedTokens?
    package var enrolledAt: Instant
    package var unlinkedAt: Instant?
    /// Goes up by one with every change: what a change is made over.
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

    /// A bank's tokens as they lie in the store.
    package struct SealedTokens: Sendable, Equatable {
        package let access: String
        package let refresh: String?
        /// When the access token is over; `nil` where the bank said nothing.
        package let expiresAt: Instant?

        package init(access: String, refresh: String?, expiresAt: Instant?) {
            self.access = access
            self.refresh = refresh
            self.expiresAt = expiresAt
        }
    }

    package var isOpen: Bool { unlinkedAt == nil }

    /// What a sync leaves: the config's name and logo for the bank, and tokens if there are new ones.
    func renewed(_ tokens: SealedTokens?, at bank: Bank) -> BankLink {
        var link = renewed(tokens)
        link.name = bank.name
        link.logoURL = bank.logoURL
        return link
    }

    /// What new tokens leave; `nil`: those that there are.
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
