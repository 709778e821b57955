import Kernel
import MemoryStore
import Operations

/// The accounts of every history.
enum People {
    static let knownDevice = Digest256(sha256: "device cookie")

    static let all: [MemoryPerson] = (1...3).map { number in
        var person = MemoryPerson(
            account: AccountID(UUIDBits(high: 0xA, low: UInt64(number))),
            email: "person\(number)@example.com",
            enrolment: "enrolment-\(number)",
            devices: [knownDevice: DeviceID(UUIDBits(high: 0xD, low: UInt64(number)))]
        )
        person.elsewhere[SimulatedProvider.standby] = number < 3 ? "standby-\(number)" : .some(nil)
        return person
    }

    static let policies: [ClientPolicy] = ClientPolicy.Verifier.allCases.flatMap { verifier in
        ClientPolicy.Initiators.allCases.map { initiators in
            ClientPolicy(
                clientID: "\(verifier) \(initiators)",
                audience: "https://api.example.com",
                verifier: verifier,
                initiators: initiators,
                timing: OperationTiming(
                    lifetime: History.lifetime,
                    approvalWindow: History.approvalWindow,
                    redemptionWindow: History.redemptionWindow
                ),
                accessTokenLifetime: .seconds(900),
                refreshTokenLifetime: .seconds(86_400)
            )
        }
    }
}

/// The knowledge of an operation's callers, and their answers so far.
struct ModelOperation {
    let number: Int
    let begun: BegunOperation
    /// The proof of its caller; of an enrolment it stands for its session.
    let codeVerifier: String?
    /// The session that started it, if it is an enrolment.
    var starter: SessionID?
    /// Whether its app sends the binding cookie.
    let keepsCookies: Bool
    let begunAt: Uptime
    let begunInLife: Int
    let address: UInt8
    /// The other one of a pair that began in the same instant, one real and one a decoy, and that nobody ever opens.
    var twin: Int?
    var sightings: [Sighter: Sighting] = [:]
    var delivered: Grant?
    /// The browsers in which its number was typed.
    var knowing: Set<String> = []

    var row: OperationRowID { begun.operation.id }
    var publicID: Digest256 { begun.operation.credentials.publicID }
    var isDecoy: Bool { begun.operation.isDecoy }
    var account: AccountID? { begun.operation.request.account }

    /// Whether that proof makes the caller the one who began it, whatever happens.
    func isProven(_ proof: Proof) -> Bool {
        switch proof {
        case .verifier: codeVerifier != nil
        case .cookie: codeVerifier == nil
        case .bare, .otherBare, .wrong: false
        }
    }

    /// The proofs that its own app presents.
    var ownProof: Proof { codeVerifier != nil ? .verifier : keepsCookies ? .cookie : .bare }

    func caller(_ proof: Proof) -> Caller {
        switch proof {
        case .verifier where starter != nil: Caller(fingerprint: Digest256(sha256: "home"), session: starter)
        case .verifier:
            Caller(challenge: Digest256(sha256: codeVerifier ?? "none"), fingerprint: Digest256(sha256: "home"))
        case .cookie:
            Caller(
                bindingCookie: Digest256(sha256: begun.bindingCookie.expose()),
                fingerprint: Digest256(sha256: "home")
            )
        case .bare: Caller(fingerprint: Digest256(sha256: "home"))
        case .otherBare: Caller(fingerprint: Digest256(sha256: "elsewhere"))
        case .wrong:
            Caller(
                challenge: Digest256(sha256: "a guess"),
                bindingCookie: Digest256(sha256: "another guess"),
                fingerprint: Digest256(sha256: "elsewhere")
            )
        }
    }
}

/// The proofs that a caller presents.
enum Proof: String, CaseIterable {
    case verifier, cookie, bare
    /// The id alone, from another address.
    case otherBare
    /// A wrong verifier and a wrong cookie.
    case wrong
}

/// A caller, of one daemon among several.
struct Sighter: Hashable {
    let proof: Proof
    /// The daemon's life; `nil` for the only daemon.
    let life: Int?
}

/// The last answer that a caller saw, in one life of the daemon.
struct Sighting {
    let life: Int
    let accessLevel: Visibility.AccessLevel?
    let view: PollView
}

/// How often the histories came by each corner.
struct Census: Sendable {
    var nested = 0, begins = 0, checks = 0, crashes = 0, completed = 0, redelivered = 0, blocks = 0, decoys = 0
    var denials = 0, quieted = 0
    var lateVerdicts = 0, storeErrors = 0, twins = 0, returns = 0, failovers = 0, enrolled = 0
    var parked = 0, woken = 0, released = 0, turnedAway = 0
    var hooks = 0, expedited = 0
    var pauses = 0, handovers = 0, renamed = 0, adopted = 0, delivered = 0, lost = 0, gaps = 0
    var ends: [String: Int] = [:]

    mutating func add(_ other: Census) {
        nested += other.nested
        begins += other.begins
        checks += other.checks
        crashes += other.crashes
        completed += other.completed
        redelivered += other.redelivered
        blocks += other.blocks
        denials += other.denials
        quieted += other.quieted
        decoys += other.decoys
        lateVerdicts += other.lateVerdicts
        storeErrors += other.storeErrors
        twins += other.twins
        returns += other.returns
        failovers += other.failovers
        enrolled += other.enrolled
        parked += other.parked
        woken += other.woken
        released += other.released
        turnedAway += other.turnedAway
        hooks += other.hooks
        expedited += other.expedited
        pauses += other.pauses
        handovers += other.handovers
        renamed += other.renamed
        adopted += other.adopted
        delivered += other.delivered
        lost += other.lost
        gaps += other.gaps
        ends.merge(other.ends, uniquingKeysWith: +)
    }
}
