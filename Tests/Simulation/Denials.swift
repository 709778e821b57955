import Kernel
import MemoryStore
import Operations

/// The denied account and the address of the start: the subjects of the quiet period.
struct Initiator: Hashable {
    let address: UInt8
    let account: AccountID
    let client: String
}

extension History {
    /// Nobody is refused for the number of his starts; that is not what histories are about.
    static let rates: LimitRates = {
        var rates = LimitRates()
        rates.logins.initiatePerAccount = RateLimit(burst: 1_000_000, every: .milliseconds(1))
        return rates
    }()

    /// Where a start comes from: one of two addresses.
    func source(_ address: UInt8) -> RequestSource { service.limits.source(of: [address]) }

    /// A person is about to say of a login that it was not them; even a write that reports a fault may do it.
    func noteDenying(_ operation: ModelOperation) {
        guard let initiator = initiator(of: operation) else { return }
        mayBeQuiet[initiator] = time.now + Self.rates.logins.quietPeriod + .seconds(3600)
    }

    /// The person has said so in that life, and the login ended by it.
    func noteDenied(_ operation: ModelOperation) {
        census.denials += 1
        // The state of addresses is in memory.
        guard operation.begunInLife == life, let initiator = initiator(of: operation) else { return }
        daemons[current].quiet[initiator] = time.now + Self.rates.logins.quietPeriod
        if case .quieted(let key, _) = daemons[current].peer?.feed.last { cluster?.quietKeys[key] = initiator }
    }

    /// Somebody whose starts have to be decoys at present.
    func quietInitiator() -> Initiator? {
        daemons[current].quiet.filter { time.now < $0.value }.keys.min {
            ($0.account.bits, $0.address, $0.client) < ($1.account.bits, $1.address, $1.client)
        }
    }

    private func initiator(of operation: ModelOperation) -> Initiator? {
        // Outsiders start nothing for a signed-in person, and the address of an enrolment is not kept.
        guard operation.starter == nil else { return nil }
        return operation.account.map {
            Initiator(
                address: operation.address,
                account: $0,
                client: operation.begun.operation.request.policy.clientID
            )
        }
    }

    /// Whether the start came to what it had to: a quiet initiator gets decoys, a linked device and everybody else not.
    func checkQuiet(_ operation: ModelOperation, email: String, isLinked: Bool) {
        guard let person = People.all.first(where: { $0.email == email }) else { return }
        let policy = operation.begun.operation.request.policy
        let initiator = Initiator(address: operation.address, account: person.account, client: policy.clientID)
        if !isLinked, let end = daemons[current].quiet[initiator], time.now < end {
            census.quieted += 1
            if !operation.isDecoy { fail("an initiator who was to be quiet started a login") }
        }
        let mayStart = policy.initiators == .anyone || isLinked
        let mayBeQuiet = !isLinked && (mayBeQuiet[initiator].map { time.now < $0 } ?? false)
        if mayStart, !mayBeQuiet, !blocked.contains(person.account), operation.isDecoy {
            fail("somebody who was not denied got a decoy")
        }
    }
}
