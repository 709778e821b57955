import Kernel
package import MockServing

/// Everything that the mock knows, as a value: no clock, no randomness and no I/O of its own.
package struct UpstreamMockState: AuthorizationMock {
    private let people: [UpstreamPerson]
    package var calls = CallBook<UpstreamFaultKind>()
    package var grants: GrantBook

    package init(_ configuration: UpstreamMockConfiguration) {
        people = configuration.people
        grants = GrantBook(configuration.authorization)
    }

    /// The id of whoever has that password, a closed account as well: the lookup tells.
    func person(email: String, password: String) -> String? {
        people.first { $0.email == email && $0.password == Secret(password) }?.id
    }

    /// Whoever an access token is of; `nil` for one that is not good, or not any more.
    func person(behind token: String, at now: Instant) -> UpstreamPerson? {
        grants.person(behind: token, at: now).flatMap { person($0) }
    }

    func person(_ id: String) -> UpstreamPerson? { people.first { $0.id == id } }
}
