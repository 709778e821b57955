/// Compares each state with the previous one, so that the app is told of a change only once.
struct ProgressTracker: Sendable {
    private var last: FaceLogin.Progress?
    private var hint = FaceLogin.Hint.created

    private static let providerDegraded = "provider_degraded"

    /// Returns the progress in a pending answer; `nil` if nothing has changed.
    mutating func pending(hint: String?) -> FaceLogin.Progress? {
        if hint == Self.providerDegraded { return news(.degraded(.provider)) }
        // An answer without a hint still ends an outage. The person is at the same step as before.
        if let hint { self.hint = FaceLogin.Hint(wire: hint) }
        return news(.waiting(self.hint))
    }

    /// Returns the progress for a network error; `nil` for further errors in a row.
    mutating func fault(_ fault: NetworkError) -> FaceLogin.Progress? {
        if case .degraded(.network) = last { return nil }
        return news(.degraded(.network(fault)))
    }

    private mutating func news(_ progress: FaceLogin.Progress) -> FaceLogin.Progress? {
        guard progress != last else { return nil }
        last = progress
        return progress
    }
}
