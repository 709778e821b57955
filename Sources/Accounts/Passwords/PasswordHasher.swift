import Crypto
import CryptoExtras
import Dispatch
import FoundationEssentials
package import Kernel
import Synchronization

/// Hashes passwords with scrypt (RFC 7914), and writes the parameters beside each hash.
///
/// So a later version can raise the parameters and still check existing hashes. The hasher has a few threads of its own
/// and a bounded queue: scrypt blocks its thread and takes 16 MiB. Neither the cooperative pool nor the memory of a
/// small machine has that to spare.
package final class PasswordHasher: Sendable {
    private static let saltLength = 16
    private static let keyLength = 32

    private let environment: Environment
    private let parameters: ScryptParameters
    /// The largest number of hashes that wait or run.
    private let capacity: Int
    /// The number of hashes beyond `capacity` that linked devices may start.
    private let reserve: Int
    private let lanes: [DispatchQueue]
    /// The number of hashes that wait or run on each lane.
    private let loads: Mutex<[Int]>

    /// Creates a hasher.
    ///
    /// `lanes`: how many hashes run at one time. `capacity`: how many hashes may wait or run. `reserve`: how many more
    /// may do so for linked devices, so that other callers who fill the queue keep no owner out.
    package init(
        environment: Environment,
        parameters: ScryptParameters = .current,
        lanes: Int = 1,
        capacity: Int = 64,
        reserve: Int = 8
    ) {
        self.environment = environment
        self.parameters = parameters
        self.capacity = capacity
        self.reserve = reserve
        self.lanes = (0..<max(1, lanes)).map { DispatchQueue(label: "vestibule.scrypt.\($0)") }
        loads = Mutex(Array(repeating: 0, count: max(1, lanes)))
    }

    /// Runs `body` with a free slot of the queue (``take(_:isLinked:)``), and releases the slot afterwards.
    package func withPlace<T: Sendable>(_ body: (HasherSlot) async throws -> T) async throws -> T {
        let slot = HasherSlot()
        defer { leave(slot) }
        return try await body(slot)
    }

    /// Takes the slot, unless it is already taken: a unit of work that takes a slot may run several
    /// times.
    ///
    /// `isLinked`: whether the request comes from a linked device, which may use the reserve.
    package func take(_ slot: HasherSlot, isLinked: Bool) throws(PasswordHasherBusyError) {
        let isTaken = slot.lane.withLock { lane in
            if lane == nil { lane = enter(isLinked: isLinked) }
            return lane != nil
        }
        guard isTaken else { throw PasswordHasherBusyError() }
    }

    /// Returns the password's hash, in a slot of its own.
    ///
    /// - Throws: ``PasswordHasherBusyError``.
    package func hash(_ password: Secret) async throws -> Secret {
        try await withPlace { slot in
            try take(slot, isLinked: false)
            return try await hash(password, in: slot)
        }
    }

    /// Returns the password's hash, in a slot that is taken.
    func hash(_ password: Secret, in slot: HasherSlot) async throws -> Secret {
        let salt = environment.randomBytes(Self.saltLength)
        let key = try await derive(password, salt: salt, by: parameters, count: Self.keyLength, in: slot)
        return PasswordHash(parameters: parameters, salt: salt, key: key).text
    }

    /// Whether the hash is that of the password, in a slot of its own; without a readable hash, `false` after the same
    /// work.
    ///
    /// - Throws: ``PasswordHasherBusyError``.
    package func verify(_ password: Secret, against text: Secret?) async throws -> Bool {
        try await withPlace { slot in
            try take(slot, isLinked: false)
            return try await verify(password, against: text, in: slot)
        }
    }

    /// Whether the hash is that of the password, in a slot that is taken.
    func verify(_ password: Secret, against text: Secret?, in slot: HasherSlot) async throws -> Bool {
        guard let hash = text.flatMap({ PasswordHash($0) }) else {
            let salt = [UInt8](repeating: 0, count: Self.saltLength)
            _ = try await derive(password, salt: salt, by: parameters, count: Self.keyLength, in: slot)
            return false
        }
        let key = try await derive(password, salt: hash.salt, by: hash.parameters, count: hash.key.count, in: slot)
        return ConstantTime.equal(key, hash.key)
    }

    /// Whether the hash has other parameters than new hashes.
    package func isOutdated(_ text: Secret) -> Bool { PasswordHash(text)?.parameters != parameters }

    private func derive(
        _ password: Secret,
        salt: [UInt8],
        by parameters: ScryptParameters,
        count: Int,
        in slot: HasherSlot
    ) async throws -> [UInt8] {
        guard let lane = slot.lane.withLock({ $0 }) else { throw PasswordHasherBusyError() }
        return try await withCheckedThrowingContinuation { continuation in
            lanes[lane].async {
                continuation.resume(
                    with: Result { try Self.scrypt(password, salt: salt, by: parameters, count: count) }
                )
            }
        }
    }

    /// Adds a hash to the lane with the fewest hashes, and returns the lane; `nil` if the queue is full.
    private func enter(isLinked: Bool) -> Int? {
        let limit = isLinked ? capacity + reserve : capacity
        return loads.withLock { loads in
            guard loads.reduce(0, +) < limit, let least = loads.indices.min(by: { loads[$0] < loads[$1] }) else {
                return nil
            }
            loads[least] += 1
            return least
        }
    }

    private func leave(_ slot: HasherSlot) {
        let taken: Int? = slot.lane.withLock { lane in
            defer { lane = nil }
            return lane
        }
        if let taken { loads.withLock { $0[taken] -= 1 } }
    }

    private static func scrypt(
        _ password: Secret,
        salt: [UInt8],
        by parameters: ScryptParameters,
        count: Int
    ) throws -> [UInt8] {
        try KDF.Scrypt.deriveKey(
            from: Data(password.expose().utf8),
            salt: Data(salt),
            outputByteCount: count,
            rounds: parameters.rounds,
            blockSize: parameters.blockSize,
            parallelism: parameters.parallelism
        ).withUnsafeBytes { Array($0) }
    }
}

/// A slot in the queue of a ``PasswordHasher``: its lane, once it is taken.
package final class HasherSlot: Sendable {
    fileprivate let lane = Mutex<Int?>(nil)

    fileprivate init() {}
}

/// Too many passwords wait to be hashed: a later try may succeed.
package struct PasswordHasherBusyError: Error, Equatable {}
