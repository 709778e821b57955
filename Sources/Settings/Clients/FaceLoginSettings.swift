package import Operations

/// How long a face login may take, and how its provider is followed.
package struct FaceLoginSettings: Sendable, Equatable {
    /// The name of one of ``Settings/providers``.
    package var provider = ""
    /// The names of other providers that scan while the first can't be asked, in this order.
    package var failover: [String] = []
    /// The time from the start to the deadline.
    package var lifetime: Duration = .seconds(180)
    /// The time from the approval to the latest first collection.
    package var approvalWindow: Duration = .seconds(60)
    /// The time from the first collection to the latest repeated one.
    package var redemptionWindow: Duration = .seconds(120)
    /// The interval that clients are told to wait between two polls.
    package var pollInterval: Duration = .seconds(2)
    /// The step of the landing page.
    package var landing: LandingPolicy.Step = .redirect
    /// Between two checks at the provider while a client is waiting.
    package var hotCheck: Duration = .seconds(1)
    /// Between two checks at the provider while none is.
    package var coldCheck: Duration = .seconds(5)
}
