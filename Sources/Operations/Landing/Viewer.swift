package import Kernel

/// The party that watches an operation, and collects nothing by that.
package enum Viewer: Sendable, Equatable {
    /// A client with its proofs, or any caller with the operation's id.
    case caller(Caller)
    /// The browser that began the scan, by the SHA-256 of its cookie.
    case browser(Digest256)

    /// The viewer's identity among the waiters of an operation.
    var waitsAs: Digest256 {
        switch self {
        case .caller(let caller): caller.waitsAs
        case .browser(let browser): browser
        }
    }

    /// Whether the viewer proves its part in the operation, so that no viewer without proof displaces it.
    ///
    /// A browser is only admitted with the cookie of the scan, so that there are few of them.
    func isProven(_ operation: Operation) -> Bool {
        switch self {
        case .caller(let caller): Visibility.isProven(caller, operation)
        case .browser: true
        }
    }
}
