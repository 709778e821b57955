/// What the page behind a login's link does with its visitor, as it was in force when the operation began.
package struct LandingPolicy: Sendable, Equatable {
    /// What people are told that they sign in to.
    ///
    /// Empty in rows of before it was kept.
    package let clientName: String
    package let step: Step

    package init(clientName: String = "", step: Step = .redirect) {
        self.clientName = clientName
        self.step = step
    }

    /// What stands between the link and the scan.
    package enum Step: String, Sendable, CaseIterable {
        /// The page goes on to the provider by itself.
        case redirect
        /// The page says what is being signed in to, for whom, from where and when, and waits for the person.
        case confirm
    }
}
