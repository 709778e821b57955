package import Kernel

/// An operation in memory: one immutable object per version, so that a poll copies a pointer.
package final class CachedOperation: Sendable {
    package let operation: Operation
    private let exception: Box<Exception>?

    /// The result of the last contact with the provider about this operation.
    package var lastContact: ProviderContact { exception?.value.lastContact ?? .answered }
    /// SHA-256 of the cookie of the browser that last began the scan.
    ///
    /// That browser may learn the outcome.
    ///
    /// Once the operation is collected or has failed, it is no part of the operation. After a restart a daemon without
    /// others tells no browser those outcomes. Daemons that share a database read it by the ticket.
    package var browser: Digest256? { operation.scanningBrowser ?? exception?.value.browser }

    /// What most operations lack.
    private struct Exception {
        let lastContact: ProviderContact
        /// The browser, once it is no part of the operation.
        let browser: Digest256?
    }

    init(
        operation: Operation,
        lastContact: ProviderContact = .answered,
        browser: Digest256? = nil
    ) {
        self.operation = operation
        let earlier = operation.scanningBrowser == nil ? browser : nil
        let isException = lastContact != .answered || earlier != nil
        exception = isException ? Box(Exception(lastContact: lastContact, browser: earlier)) : nil
    }

    /// Whether the scan's browser is unknown although there may have been one.
    var lacksBrowser: Bool {
        switch operation.state {
        case .created, .opened, .pending, .approved: false
        case .redeemed, .closed, .failed: browser == nil
        }
    }
}

extension CachedOperation {
    convenience init(
        _ card: CachedOperation,
        operation: Operation? = nil,
        lastContact: ProviderContact? = nil,
        browser: Digest256? = nil
    ) {
        self.init(
            operation: operation ?? card.operation,
            lastContact: lastContact ?? card.lastContact,
            browser: browser ?? card.browser
        )
    }

    /// Returns the entry for a newer version.
    ///
    /// It keeps the browser only for the next version: in one between the two that was not seen, another browser may have
    /// begun the scan again.
    func followed(by next: Operation) -> CachedOperation {
        CachedOperation(
            operation: operation.credentials.isBound ? next.bound() : next,
            lastContact: lastContact,
            browser: next.seq == operation.seq + 1 ? browser : nil
        )
    }

    /// Returns the entry with the browser of the version before, which may arrive after its own.
    func following(_ earlier: Operation) -> CachedOperation {
        guard browser == nil, earlier.seq + 1 == operation.seq, let browser = earlier.scanningBrowser else {
            return self
        }
        return CachedOperation(self, browser: browser)
    }
}
