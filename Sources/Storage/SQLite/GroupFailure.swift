import Kernel

extension StoreError {
    /// Translates an error of the shared commit for each unit of the group.
    ///
    /// Which unit's write violated a constraint is unknown at that point. Most units are innocent, and may succeed
    /// when tried again.
    init(ofGroup error: any Error) {
        let failure = StoreError(error)
        switch failure {
        case .conflict(let cause): self = .unavailable(cause: cause)
        case .unavailable, .corrupt, .foreignTransaction: self = failure
        }
    }
}
