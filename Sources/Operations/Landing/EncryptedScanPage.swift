package import Kernel
import Logging

/// The provider's page for the browser that opened the link, as the operation's row and the cache have it: encrypted.
///
/// The page is a bearer secret, so nothing keeps it in plain form. Operation and browser are the encryption context. So a
/// text that was copied from another operation's row, or whose row was given another browser, does not decrypt.
package struct EncryptedScanPage: Sendable, Equatable {
    /// The name of the key and the ciphertext, as ``Kernel/Encryptor`` joins them.
    package let text: String

    package init(_ text: String) { self.text = text }

    /// Encrypts the page.
    ///
    /// `browser`: SHA-256 of the browser's cookie.
    init(
        _ page: Secret,
        of operation: OperationRowID,
        for browser: Digest256,
        by encryptor: any Encryptor
    ) throws {
        text = try encryptor.encrypt(page, as: .scanPage(of: operation, for: browser))
    }

    /// Returns the page; `nil` if its key is gone, or the text is not of this operation and browser.
    func decrypted(of operation: OperationRowID, for browser: Digest256, by encryptor: any Encryptor) -> Secret? {
        encryptor.decrypt(text, as: .scanPage(of: operation, for: browser))
    }
}

extension EncryptionContext {
    /// The context of a provider's page, for the browser with that digest of its cookie.
    package static func scanPage(of operation: OperationRowID, for browser: Digest256) -> Self {
        "operation/\(operation)/page/\(Base64URL.encode(browser.bytes))"
    }
}

extension OperationService {
    /// Returns the page of the scan that the operation follows, if that is the browser that it began for.
    ///
    /// A page that does not decrypt counts as none, and is forgotten, so that it is logged once.
    func page(of operation: Operation, for browser: Digest256) -> Secret? {
        guard case .pending(let scan) = operation.state, scan.browser == browser, let encrypted = scan.page else {
            return nil
        }
        if let page = encrypted.decrypted(of: operation.id, for: browser, by: ports.encryptor) { return page }
        cache.forget(encrypted, of: operation.credentials.publicID)
        reports.logger.warning(
            "the provider's page of an operation can't be decrypted, so its browser starts a new scan",
            metadata: operation.logged()
        )
        return nil
    }

    /// Returns the page of a scan that has just begun, to be stored.
    ///
    /// Without it, the browser is redirected all the same, and starts a new scan when it comes again.
    func encrypted(_ page: Secret, of operation: Operation, for browser: Digest256) -> EncryptedScanPage? {
        do {
            return try EncryptedScanPage(page, of: operation.id, for: browser, by: ports.encryptor)
        } catch {
            reports.logger.error(
                "the provider's page of an operation can't be encrypted, so it is not stored",
                metadata: operation.logged(["cause": "\(error)"])
            )
            return nil
        }
    }
}
