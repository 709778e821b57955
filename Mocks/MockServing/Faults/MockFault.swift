/// A call of a mock with a token endpoint, as its counts and its faults name it.
package protocol MockCall: RawRepresentable, CaseIterable, Decodable, Hashable, Sendable where RawValue == String {
    /// The token endpoint with a code.
    static var token: Self { get }
    /// The token endpoint with a refresh token.
    static var refresh: Self { get }
}

/// A fault of a call.
package protocol MockFaultKind: RawRepresentable, CaseIterable, Decodable, Equatable, Sendable
where RawValue == String {
    associatedtype Call: MockCall

    /// The one that has the token endpoint say `invalid_grant`.
    static var tokenRefusal: Self { get }

    /// Whether the call can fail so.
    func applies(to call: Call) -> Bool

    /// The breakage on the way, `late` by `delay`; `nil` for a fault inside the answer.
    func breakage(delay: Duration) -> MockBreakage?

    /// Does to a finished answer what its route knows nothing of.
    func spoil(_ reply: inout MockReply)
}

extension MockFaultKind {
    package func spoil(_: inout MockReply) {}
}

/// A fault in force: the next `count` calls fail so, or all.
package struct MockFault<Kind: MockFaultKind>: Sendable {
    let kind: Kind
    /// Calls that it still strikes; `nil` for all.
    var left: Int?
    /// Of an answer that comes late.
    let delay: Duration

    package init(_ kind: Kind, count: Int? = nil, delay: Duration = .seconds(2)) {
        self.kind = kind
        self.left = count
        self.delay = delay
    }
}
