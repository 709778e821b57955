#if canImport(Security)
import Foundation
import Security

/// Keeps credentials in the keychain. They are readable after the first unlock, only on this device, and in no backup.
///
/// On macOS it uses the data protection keychain, which requires a signed app with a keychain access group. An unsigned
/// tool can use ``FileTokenStore``.
///
/// It is untested: the project is built and tested on Linux, which has no keychain.
public actor KeychainTokenStore: TokenStore {
    private let service: String
    private let account: String

    /// Creates a store with that service name, such as the app's bundle id.
    ///
    /// `account` distinguishes several servers.
    public init(service: String, account: String = "vestibule") {
        self.service = service
        self.account = account
    }

    /// Returns the stored credentials; empty ones if the item is missing.
    ///
    /// - Throws: ``TokenStoreError``.
    public func load() throws -> StoredCredentials {
        var query = item
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return StoredCredentials() }
        guard status == errSecSuccess else { throw TokenStoreError.keychain(status: status) }
        guard let data = found as? Data, let credentials = try? StoredCredentials(decoding: data) else {
            throw TokenStoreError.unreadable(place: "The keychain item \(service)")
        }
        return credentials
    }

    /// Changes the stored credentials.
    ///
    /// Changes within the process do not overlap, but two processes of one access group may overwrite each other's
    /// changes.
    public func update(_ change: @Sendable (inout StoredCredentials) -> Void) throws {
        var credentials = try load()
        change(&credentials)
        let data = try credentials.encoded()
        let changes: [String: Any] = [
            kSecValueData as String: data,
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        var status = SecItemUpdate(item as CFDictionary, changes as CFDictionary)
        if status == errSecItemNotFound {
            status = SecItemAdd(item.merging(changes) { _, new in new } as CFDictionary, nil)
        }
        guard status == errSecSuccess else { throw TokenStoreError.keychain(status: status) }
    }

    private var item: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
            kSecUseDataProtectionKeychain as String: true,
        ]
    }
}
#endif
