/// Keeps credentials for as long as the process lives.
public actor MemoryTokenStore: TokenStore {
    private var credentials: StoredCredentials

    /// A store that begins with those credentials.
    public init(_ credentials: StoredCredentials = StoredCredentials()) { self.credentials = credentials }

    /// Returns the stored credentials.
    public func load() -> StoredCredentials { credentials }

    /// Changes the stored credentials.
    public func update(_ change: @Sendable (inout StoredCredentials) -> Void) { change(&credentials) }
}
