package import Kernel

/// The limits of requests, and the initiators that an account's owner may still disown.
package struct AdmissionControl: Sendable {
    /// The limits by address and by account.
    let limits: Limits
    let lookups: StoreLookups
    let initiators = Initiators()

    /// `rates`: The figures of the limits; `nil` for no limits, in benchmarks.
    ///
    /// `stripes`: How many parts of its table a limit locks separately.
    ///
    /// `limitsLookups`: Whether reads of the store by unknown ids are limited; not in benchmarks.
    package init(
        _ rates: LimitRates? = nil,
        environment: Environment,
        stripes: Int = 64,
        limitsLookups: Bool = true
    ) {
        limits = Limits(rates, environment: environment, stripes: stripes)
        lookups = StoreLookups(clock: environment.clock, isLimited: limitsLookups)
    }
}
