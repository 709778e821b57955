/// How long fetched keys are used, and how often they are asked for.
///
/// The issuer's Cache-Control says how long, within bounds: a key that was retired is noticed after ``longestUse`` at the
/// latest, and an issuer that lets nothing be kept is not asked for each token.
public struct KeyCachePolicy: Sendable, Hashable {
    /// Keys are fresh at least this long, whatever the issuer says.
    public var shortestUse: Duration
    /// Keys are fresh at most this long, whatever the issuer says.
    public var longestUse: Duration
    /// Where the issuer says nothing.
    public var usualUse: Duration
    /// Between two fetches because of a `kid` that is not there, or after one that failed: tokens that are made up cost
    /// the issuer no more than this.
    public var pause: Duration
    /// Between two fetches while there are no keys that may be used, as after a first fetch that failed.
    public var emptyPause: Duration
    /// How long after they were fetched keys are used while the issuer can't be asked.
    public var staleUse: Duration

    /// The bounds: 30 s to 1 h, 5 min where nothing is said, a minute between fetches, 5 s while there are no keys, and a day
    /// without the issuer.
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
