/// How long fetched keys are used, and how often they are fetched.
///
/// The issuer's Cache-Control decides, within bounds. A retired key is noticed after ``longestUse`` at the latest, and
/// an issuer that forbids caching is not asked for each token.
public struct KeyCachePolicy: Sendable, Hashable {
    /// The shortest time that keys are fresh, whatever the issuer says.
    public var shortestUse: Duration
    /// The longest time that keys are fresh, whatever the issuer says.
    public var longestUse: Duration
    /// The time that keys are fresh if the issuer gives none.
    public var usualUse: Duration
    /// The pause between two fetches for an unknown `kid`, or after a failed fetch: forged tokens cost the issuer no
    /// more than this.
    public var pause: Duration
    /// The pause between two fetches while no keys may be used, as after a first fetch that failed.
    public var emptyPause: Duration
    /// How long after their fetch keys are used while the issuer is unreachable.
    public var staleUse: Duration

    /// Creates a policy.
    ///
    /// By default keys are used for 30 s to 1 h, and for 5 min if the issuer gives no time. A minute passes between
    /// fetches, and 5 s without keys. Without the issuer keys last a day.
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
