import Kernel
package import MockServing

/// The mock's state as a value, without a clock, randomness or I/O of its own.
package struct UpstreamMockState: AuthorizationMock {
    private let people: [UpstreamPerson]
    package var calls = CallBook<UpstreamFaultKind>()
    package var grants: GrantBook

    package init(_ configuration: UpstreamMockConfiguration) {
        people = configuration.people
        grants = GrantBook(configuration.authorization)
    }

    /// Returns the id of the person with that password; a closed account counts, because the lookup reports it.
    func person(email: String, password: String) -> String? {
        people.first { $0.email == email && $0.password == Secret(password) }?.id
    }

    /// Returns the person of an access token; `nil` for an invalid or expired token.
    func person(behind token: String, at now: Instant) -> UpstreamPerson? {
        grants.person(behind: token, at: now).flatMap { person($0) }
    }

    func person(_ id: String) -> UpstreamPerson? { people.first { $0.id == id } }
}
