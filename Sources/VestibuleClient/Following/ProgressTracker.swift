/// Tells news from repetition, so that an app hears of a change once.
struct ProgressTracker: Sendable {
    private var last: FaceLogin.Progress?
    private var hint = FaceLogin.Hint.created

    private static let providerDegraded = "provider_degraded"

    /// The news in a pending answer, if there is any.
    mutating func pending(hint: String?) -> FaceLogin.Progress? {
        if hint == Self.providerDegraded { return news(.degraded(.provider)) }
        // An answer without a hint still ends an outage: the person is where they were.
        if let hint { self.hint = FaceLogin.Hint(wire: hint) }
        return news(.waiting(self.hint))
    }

    /// Returns the progress that an error means; none for the second one in a row.
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
