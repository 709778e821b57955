import Testing

extension Trait where Self == ConditionTrait {
    /// For a test that says nothing about several daemons.
    ///
    /// `reason`: what it looks at in one daemon. What a client or a browser would notice is no reason.
    static func ofOneDaemon(_ reason: Comment) -> Self { .disabled(if: SpreadDaemons.usualCount > 1, reason) }
}

extension Comment {
    static let dividedLimit: Comment = "Each of several daemons has a part of the limit."
    static let countedByEach: Comment = "Each daemon counts this by itself, so that no poll or guess costs a statement."
    static let oneCounter: Comment = "It compares what one daemon has counted."
    static let learnedByFailing: Comment = "A daemon learns from its own next failure what the others have counted."
    static let ownHealth: Comment = "A daemon knows a provider's health by its own calls."
}

/// Runs a test a second time, with its requests spread over three daemons.
struct AlsoSpread: TestTrait, TestScoping {
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await function()
        // Only stores in memory can be shared.
        guard SpreadDaemons.usualCount == 1, HarnessStorage.usual == .memory else { return }
        try await SpreadDaemons.$count.withValue(3) { try await function() }
    }
}

extension Trait where Self == AlsoSpread {
    /// For the few tests that the usual run also spreads over three daemons.
    ///
    /// `VESTIBULE_TEST_DAEMONS=3` spreads all of them.
    static var alsoSpread: Self { Self() }
}
