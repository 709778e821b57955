import Kernel

extension StoreError {
    /// The cause for the log, never for the wire.
    var cause: String {
        switch self {
        case .unavailable(let cause), .corrupt(let cause), .conflict(let cause): cause
        case .foreignTransaction: "a transaction of another store"
        }
    }
}
