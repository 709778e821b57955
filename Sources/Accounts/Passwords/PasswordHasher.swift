import Crypto
import CryptoExtras
import Dispatch
import FoundationEssentials
package import Kernel
import Synchronization

/// Turns passwords into scrypt hashes (RFC 7914) with their parameters beside them, so that a later version can raise
/// them and still check the old.
///
/// Runs on threads of its own, a few at a time, with a bounded queue: scrypt blocks and takes 16 MiB, which neither the
/// cooperative pool nor the memory of a small machine has to spare.
package final class PasswordHasher: Sendable {
    private static let saltLength = 16
    private static let keyLength = 32

    private let facts: Facts
    private let parameters: ScryptParameters
    /// The most that wait or run.
    private let capacity: Int
    private let lanes: [DispatchQueue]
    /// How many wait or run on each lane.
    private let loads: Mutex<[Int]>

    /// `lanes`: how many run at one time; `capacity`: how many may wait or run.
    package init(facts: Facts, parameters: ScryptParameters = .current, lanes: Int = 1, capacity: Int = 64) {
        self.facts = facts
        self.parameters = parameters
        self.capacity = capacity
        self.lanes = (0..<max(1, lanes)).map { DispatchQueue(label: "vestibule.scrypt.\($0)") }
        loads = Mutex(Array(repeating: 0, count: max(1, lanes)))
    }

    /// The password's hash.
    /// - Throws: ``PasswordHasherBusy``.
    package func hash(_ password: Secret) async throws -> Secret {
        let salt = facts.randomBytes(Self.saltLength)
        let key = try await derive(password, salt, parameters, Self.keyLength)
        return PasswordHash(parameters: parameters, salt: salt, key: key).text
    }

    /// Whether the hash is the password's; without a hash, `false` after the same work.
    ///
    /// A hash that can't be read is none.
    /// - Throws: ``PasswordHasherBusy``.
    package func verify(_ password: Secret, against text: Secret?) async throws -> Bool {
        guard let hash = text.flatMap({ PasswordHash($0) }) else {
            _ = try await derive(password, Array(repeating: 0, count: Self.saltLength), parameters, Self.keyLength)
            return false
        }
        let key = try await derive(password, hash.salt, hash.parameters, hash.key.count)
        return ConstantTime.equal(key, hash.key)
    }

    /// Whether the hash was made with other parameters than hashes are made with now.
    package func isOutdated(_ text: Secret) -> Bool { PasswordHash(text)?.parameters != parameters }

    private func derive(
        _ password: Secret,
        _ salt: [UInt8],
        _ parameters: ScryptParameters,
        _ count: Int
    ) async throws -> [UInt8] {
        let lane = try enter()
        defer { loads.withLock { $0[lane] -= 1 } }
        return try await withCheckedThrowingContinuation { continuation in
            lanes[lane].async {
                continuation.resume(with: Result { try Self.scrypt(password, salt, parameters, count) })
            }
        }
    }

    /// The lane with the least to do.
    private func enter() throws(PasswordHasherBusy) -> Int {
        let lane: Int? = loads.withLock { loads in
            guard loads.reduce(0, +) < capacity, let least = loads.indices.min(by: { loads[$0] < loads[$1] }) else {
                return nil
            }
            loads[least] += 1
            return least
        }
        guard let lane else { throw PasswordHasherBusy() }
        return lane
    }

    private static func scrypt(
        _ password: Secret,
        _ salt: [UInt8],
        _ parameters: ScryptParameters,
        _ count: Int
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

/// Too many passwords wait to be hashed: a later try will do better.
package struct PasswordHasherBusy: Error, Equatable {
    package init() {}
}
