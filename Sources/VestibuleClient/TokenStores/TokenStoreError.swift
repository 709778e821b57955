public import Foundation

/// The reason why a token store failed.
public enum TokenStoreError: Error, Sendable, Equatable {
    /// The file may be read or written by other users, belongs to another user, or is not a regular file.
    case notPrivate(path: String)
    /// The stored content was not written by this SDK, or was damaged.
    case unreadable(place: String)
    /// A system call failed with that `errno`.
    case system(call: String, path: String, errno: Int32)
    /// The keychain answered with that `OSStatus`.
    case keychain(status: Int32)
}

extension TokenStoreError: LocalizedError {
    /// A sentence for a log.
    public var errorDescription: String? {
        switch self {
        case .notPrivate(let path): "\(path) must be a plain file of yours that nobody else can read (chmod 600)."
        case .unreadable(let place): "\(place) has no readable credentials. Remove it to start again."
        case .system(let call, let path, let errno): "\(call) \(path): \(String(cString: strerror(errno)))"
        case .keychain(let status): "The keychain answered \(status)."
        }
    }
}
