/// Keeps credentials in memory until the process ends.
public actor MemoryTokenStore: TokenStore {
    private var credentials: StoredCredentials

    /// Creates a store with those credentials.
    public init(_ credentials: StoredCredentials = StoredCredentials()) { self.credentials = credentials }

    /// Returns the stored credentials.
    public func load() -> StoredCredentials { credentials }

    /// Changes the stored credentials.
    public func update(_ change: @Sendable (inout StoredCredentials) -> Void) { change(&credentials) }
}
