/// How long fetched keys are used, and how often they are fetched.
///
/// The issuer's Cache-Control decides, within bounds. So a retired key is noticed after ``longestUse`` at the latest,
/// and an issuer that forbids caching is not asked for every token.
public struct KeyCachePolicy: Sendable, Hashable {
    /// The shortest time for which keys are fresh, even if the issuer says less.
    public var shortestUse: Duration
    /// The longest time for which keys are fresh, even if the issuer says more.
    public var longestUse: Duration
    /// The time for which keys are fresh if the issuer states none.
    public var usualUse: Duration
    /// The pause between two fetches for an unknown `kid`, or after a failed fetch.
    ///
    /// It bounds the requests that forged tokens cause.
    public var pause: Duration
    /// The pause between two fetches while there are no usable keys, for example after a failed first fetch.
    public var emptyPause: Duration
    /// The time after their fetch for which keys are used while the issuer is unreachable.
    public var staleUse: Duration

    /// Creates a policy.
    ///
    /// By default keys are fresh for 30 s to 1 h, and for 5 min if the issuer states no time. The pause between fetches
    /// is a minute, or 5 s without keys. Keys are used for a day while the issuer is unreachable.
    public init(
        shortestUse: Duration = .seconds(30),
        longestUse: Duration = .seconds(3600),
        usualUse: Duration = .seconds(300),
        pause: Duration = .seconds(60),
        staleUse: Duration = .seconds(86_400),
        emptyPause: Duration = .seconds(5)
    ) {
        self.shortestUse = shortestUse
        self.longestUse = longestUse
        self.usualUse = usualUse
        self.pause = pause
        self.staleUse = staleUse
        self.emptyPause = emptyPause
    }

    func use(_ maxAge: Duration?) -> Duration { min(max(maxAge ?? usualUse, shortestUse), longestUse) }
}
