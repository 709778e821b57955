import Kernel

extension StoreError {
    /// Translates an error of the shared commit for each unit of the group.
    ///
    /// The unit whose write a constraint refused is unknown at that point, and most are innocent: a later try of theirs
    /// may succeed.
    init(ofGroup error: any Error) {
        let failure = StoreError(error)
        switch failure {
        case .conflict(let cause): self = .unavailable(cause: cause)
        case .unavailable, .corrupt, .foreignTransaction: self = failure
        }
    }
}
