import Kernel

/// How long payments wait, and how many and how large they may be.
package struct PaymentPolicy: Sendable, Equatable {
    /// For how long a payment can be confirmed: less than ``day``.
    package var lifetime: Duration
    /// For how long its card token can be spent.
    package var cardTokenLifetime: Duration
    /// Payments of one account that wait at a time.
    package var openPerAccount: Int
    /// Payments that one account may begin in 24 hours, whatever becomes of them.
    package var perDay: Int
    /// The largest payment, one for each currency there is; empty: any currency, without a bound.
    package var largest: [Money]

    package init(
        lifetime: Duration = .seconds(300),
        cardTokenLifetime: Duration = .seconds(120),
        openPerAccount: Int = 10,
        perDay: Int = 100,
        largest: [Money] = []
    ) {
        self.lifetime = lifetime
        self.cardTokenLifetime = cardTokenLifetime
        self.openPerAccount = openPerAccount
        self.perDay = perDay
        self.largest = largest
    }

    /// Whether a payment may be as large as that; with bounds, a currency that has none of its own is not paid in.
    package func allows(_ money: Money) -> Bool {
        largest.isEmpty || largest.contains { !money.isAbove($0) }
    }

    /// What ``perDay`` counts over.
    package static let day: Duration = .seconds(86_400)
    /// For how long a payment is kept.
    ///
    /// The thirteen months in which a person may say that it was not theirs: PSD2, (EU) 2015/2366 Art. 71.
    package static let memory: Duration = .seconds(400 * 86_400)
    /// Payments of one answer, at the most.
    package static let mostListed = 50
}
