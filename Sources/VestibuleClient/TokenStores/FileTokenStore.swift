public import Foundation

/// Keeps credentials in a JSON file that only its owner can read (mode 0600).
///
/// A new state is written beside the old one and then replaces it, so that a crash leaves one of them. Writers, also
/// those of other processes, wait for each other at the lock file `<name>.lock`, which is not deleted. Do not use it on
/// a file system that is shared over a network.
public final class FileTokenStore: TokenStore {
    private let file: PrivateFile
    /// Waiting for the lock and the disk blocks a thread, so it has its own queue.
    private let queue = DispatchQueue(label: "vestibule.file-token-store")

    /// Creates a store in that file.
    ///
    /// A missing folder is created with mode 0700 at the first write.
    public init(file: URL) { self.file = PrivateFile(path: file.path(percentEncoded: false)) }

    /// Returns the stored credentials; empty ones if the file is missing.
    ///
    /// - Throws: ``TokenStoreError``.
    public func load() async throws -> StoredCredentials {
        try await onQueue { [file] in try Self.read(file) }
    }

    /// Changes the stored credentials.
    ///
    /// - Throws: ``TokenStoreError``. Then nothing was changed.
    public func update(_ change: @escaping @Sendable (inout StoredCredentials) -> Void) async throws {
        try await onQueue { [file] in
            try file.locked {
                let before = try Self.read(file)
                var after = before
                change(&after)
                guard after != before else { return }
                try file.replace(with: after.encoded())
            }
        }
    }

    private static func read(_ file: PrivateFile) throws -> StoredCredentials {
        guard let data = try file.read() else { return StoredCredentials() }
        do {
            return try StoredCredentials(decoding: data)
        } catch is DecodingError {
            throw TokenStoreError.unreadable(place: file.path)
        }
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}
