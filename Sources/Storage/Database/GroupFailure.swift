import Kernel

extension StoreError {
    /// What a fault of a shared commit means to each unit of the group.
    ///
    /// Whose write a constraint refused can't be told by then, and most are innocent: a later try of theirs may do.
    init(ofGroup error: any Error) {
        let failure = StoreError(error)
        switch failure {
        case .conflict(let cause): self = .unavailable(cause: cause)
        case .unavailable, .corrupt, .foreignTransaction: self = failure
        }
    }
}
