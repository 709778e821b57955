import Kernel
import Synchronization
import Testing

/// What the outside may see of ids, and what it may not.
@Suite struct IDFormTests {
    private static let mask = IDMask(key: Digest256(sha256: "a database's key"))
    /// The bits of bucket and time.
    private static let hidden: UInt64 = 0xFFFF_FFFF_FFFF_0F00
    private static let form = IDForm.bucketed(mask)

    private static func environment(_ form: IDForm, seed: UInt64 = 1) -> Environment {
        let random = HashedBytes(seed: seed)
        return Environment(
            now: { Instant(seconds: 1_800_000_000) },
            clock: NoClock(),
            ids: form,
            randomBytes: { random.bytes($0) }
        )
    }

    @Test func `an id's outside form is exchanged for the stored one and back`() {
        let environment = Self.environment(Self.form)
        for _ in 0..<1000 {
            let id: SessionID = environment.newID()
            let stored = Self.form.exchanged(id.bits, .session)
            #expect(stored != id.bits && stored.version == 8 && id.bits.version == 8)
            #expect(Self.form.exchanged(stored, .session) == id.bits)
        }
    }

    @Test func `the mask covers bucket and time and leaves the rest`() {
        let none = UUIDBits(high: 0x8000, low: 1 << 63)
        let all = UUIDBits(high: none.high | Self.hidden, low: none.low)
        let (first, second) = (Self.mask.apply(to: none, .account), Self.mask.apply(to: all, .account))
        #expect(first.low == none.low && first.high & 0xF0FF == 0x8000)
        #expect(first.high ^ second.high == Self.hidden, "one mask for all ids with these random bits")
    }

    /// Every `sub` and `sid` that was ever given out depends on this value.
    @Test func `the mask is the first 52 bits of the HMAC of the random bits under the kind`() {
        let random = UUIDBits(high: 0x8000 | 0xA5, low: 1 << 63 | 0x1234)
        let code = KeyedHash(key: Digest256(sha256: "a database's key"))
            .digest(Array("account".utf8) + [0], random.bytes).bytes
        let masked = Self.mask.apply(to: random, .account).bytes
        #expect(Array(masked[0..<6]) == Array(code[0..<6]))
        #expect(masked[6] == 0x80 | code[6] >> 4 && masked[7] == 0xA5)
    }

    @Test func `each kind and each database has masks of its own`() {
        let stored = UUIDBits(
            version8: Instant(seconds: 1_800_000_000),
            bucket: Bucket(firstBitsOf: 0),
            random: Array(repeating: 7, count: 16)
        )
        let kinds = Set(IDKind.allCases.map { Self.mask.apply(to: stored, $0) })
        #expect(kinds.count == IDKind.allCases.count)
        let other = IDMask(key: Digest256(sha256: "another database's key"))
        #expect(kinds.isDisjoint(with: IDKind.allCases.map { other.apply(to: stored, $0) }))
    }

    @Test func `an id of version 7 that was moved keeps its form`() {
        let moved: AccountID = Self.environment(.ordered).newID()
        #expect(moved.bits.version == 7)
        #expect(Self.form.exchanged(moved.bits, .account) == moved.bits)
        #expect(Self.form.bucket(of: moved) == moved.bits.bucket)
    }

    @Test func `ids on SQLite are of version 7 and have one form`() {
        let id: AccountID = Self.environment(.ordered).newID()
        #expect(id.bits == UUIDBits(version7: Instant(seconds: 1_800_000_000), random: HashedBytes(seed: 1).bytes(16)))
        #expect(IDForm.ordered.exchanged(id.bits, .account) == id.bits)
    }

    @Test func `all that belongs to an account is in its bucket`() {
        let environment = Self.environment(Self.form)
        let account: AccountID = environment.newID()
        let session: SessionID = environment.newID(of: account)
        let device: DeviceID = environment.newID(of: account)
        #expect(environment.bucket(of: session) == environment.bucket(of: account))
        #expect(environment.bucket(of: device) == environment.bucket(of: account))
        let operation: OperationRowID = environment.newID(in: Bucket(firstBitsOf: 513 << 54))
        #expect(environment.bucket(of: operation).number == 513)
    }

    @Test func `accounts are spread over all buckets`() {
        let environment = Self.environment(Self.form)
        let buckets = Set((0..<20_000).map { _ in environment.bucket(of: environment.newID(AccountID.self)) })
        #expect(buckets.count == Bucket.count)
    }

    // T-271
    @Test func `attack: ids of one account and one moment have nothing in common outside`() {
        let environment = Self.environment(Self.form)
        let account: AccountID = environment.newID()
        let ids = (0..<1000).map { _ in environment.newID(SessionID.self, of: account).bits }
        #expect(Set(ids.map { $0.high >> 16 }).count == ids.count)
        // Each of the 52 bits is set in half of them: 500, with a deviation of 16.
        for bit in (0..<64).filter({ Self.hidden >> UInt64($0) & 1 == 1 }) {
            let count = ids.count { $0.high >> UInt64(bit) & 1 == 1 }
            #expect((420...580).contains(count), "bit \(bit)")
        }
    }
}

/// A clock that nothing waits for.
private struct NoClock: MonotonicClock {
    var now: Uptime { Uptime(nanoseconds: 0) }
    func sleep(until deadline: Uptime) async throws {}
}

/// Bytes that look random and are the same for a seed on every machine.
final class HashedBytes: Sendable {
    private let hash: KeyedHash
    private let calls = Mutex<UInt64>(0)

    init(seed: UInt64) { hash = KeyedHash(key: Digest256(sha256: "\(seed)")) }

    /// - Precondition: At most 32 bytes.
    func bytes(_ count: Int) -> [UInt8] {
        let call = calls.withLock { calls in
            calls += 1
            return calls
        }
        return Array(hash.digest(Array("\(call)".utf8)).bytes.prefix(count))
    }
}
