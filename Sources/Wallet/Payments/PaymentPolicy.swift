import Kernel

/// The limits of payments: lifetimes, numbers and sums.
package struct PaymentPolicy: Sendable, Equatable {
    /// The time within which a payment can be confirmed, less than ``day``.
    package var lifetime: Duration
    /// The time within which the card token of a confirmed payment can be spent.
    package var cardTokenLifetime: Duration
    /// The most pending payments of one account.
    package var openPerAccount: Int
    /// The most payments that one account may begin in 24 hours, whatever their outcome.
    package var perDay: Int
    /// The largest payment of each currency; if empty, any currency is allowed without a bound.
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

    /// Whether a sum is allowed; if there are bounds, a currency without one is refused.
    package func allows(_ money: Money) -> Bool {
        largest.isEmpty || largest.contains { !money.isAbove($0) }
    }

    /// The period of ``perDay``.
    package static let day: Duration = .seconds(86_400)
    /// The time for which a payment is stored.
    ///
    /// It covers the thirteen months in which a person may dispute it: PSD2, (EU) 2015/2366 Art. 71.
    package static let memory: Duration = .seconds(400 * 86_400)
    /// The most payments in one response.
    package static let mostListed = 50
}
