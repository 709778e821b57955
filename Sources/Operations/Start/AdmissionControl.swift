package import Kernel

/// The limits of requests, and the initiators of operations that an account's owner may still disown.
package struct AdmissionControl: Sendable {
    /// The limits by address and by account.
    let limits: Limits
    /// The budget for reads of ids, and that for reads of tickets, which a page's visitor causes without a limit of its
    /// own.
    let lookups: StoreLookups
    let ticketLookups: StoreLookups
    /// Makes the ids that clients poll with, and recognises guesses.
    let tagged: TaggedIDs
    let initiators = Initiators()
    let quieted = QuietedKeys()

    /// `rates`: The values of the limits; `nil` for no limits, in benchmarks.
    ///
    /// `stripes`: The number of separately locked parts of a limit's table.
    ///
    /// `sharing`: How the daemon shares limits with others; by default it is alone.
    ///
    /// `tagged`: By default with a random key, so that no id outlives this value.
    ///
    /// `limitsLookups`: Whether database reads of unknown ids are limited; `false` only in benchmarks.
    package init(
        _ rates: LimitRates? = nil,
        environment: Environment,
        stripes: Int = 64,
        sharing: LimitSharing? = nil,
        tagged: TaggedIDs? = nil,
        limitsLookups: Bool = true
    ) {
        limits = Limits(rates, sharing: sharing ?? LimitSharing(aloneIn: environment), stripes: stripes)
        self.tagged = tagged ?? TaggedIDs(key: Digest256(randomFrom: environment))
        lookups = StoreLookups(clock: environment.clock, isLimited: limitsLookups)
        ticketLookups = StoreLookups(clock: environment.clock, isLimited: limitsLookups)
    }
}
