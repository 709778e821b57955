import Kernel
import Synchronization

@testable import Devices

/// Links in memory.
final class MemoryDeviceLinkStore: DeviceLinkStore {
    private let links = Mutex<[DeviceLink]>([])

    var all: [DeviceLink] { links.withLock { $0 } }

    func insert(_ link: DeviceLink, in transaction: borrowing Transaction) throws {
        links.withLock { $0.append(link) }
    }

    func find(
        cookies: [Digest256],
        account: AccountID,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> DeviceLink? {
        all.filter { cookies.contains($0.cookie) && $0.account == account && $0.client == client }
            .max {
                ($0.validity.revokedAt == nil ? 1 : 0, $0.validity.expiresAt)
                    < ($1.validity.revokedAt == nil ? 1 : 0, $1.validity.expiresAt)
            }
    }

    func find(_ device: DeviceID, account: AccountID, in transaction: borrowing Transaction) throws -> DeviceLink? {
        all.first { $0.device == device && $0.account == account }
    }

    func prolong(_ link: DeviceLink, in transaction: borrowing Transaction) throws {
        replace {
            $0.cookie == link.cookie && $0.account == link.account && $0.client == link.client
        } with: { _ in
            link
        }
    }

    func replace(_ old: Digest256, with link: DeviceLink, in transaction: borrowing Transaction) throws {
        replace {
            $0.cookie == old && $0.account == link.account && $0.client == link.client
        } with: { _ in
            link
        }
    }

    func revoke(
        _ device: DeviceID,
        of account: AccountID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Int {
        let count = all.count { $0.device == device && $0.account == account && $0.validity.revokedAt == nil }
        revoke(at: now) { $0.device == device && $0.account == account && $0.validity.revokedAt == nil }
        return count
    }

    func revokeAll(
        of account: AccountID,
        except kept: DeviceID?,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Int {
        let count = all.count { $0.account == account && $0.device != kept && $0.validity.revokedAt == nil }
        revoke(at: now) { $0.account == account && $0.device != kept && $0.validity.revokedAt == nil }
        return count
    }

    func forget(
        _ cookies: [Digest256],
        on device: DeviceID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws {
        links.withLock { links in
            links.removeAll { $0.account == account && $0.device == device && cookies.contains($0.cookie) }
        }
    }

    func forget(
        allBut cookies: [Digest256],
        on device: DeviceID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws {
        links.withLock { links in
            links.removeAll {
                $0.account == account && $0.device == device && $0.validity.revokedAt == nil
                    && !cookies.contains($0.cookie)
            }
        }
    }

    /// Revokes the account's links, as an operator would.
    func revoke(_ account: AccountID, at now: Instant) {
        revoke(at: now) { $0.account == account }
    }

    private func revoke(at now: Instant, where condition: (DeviceLink) -> Bool) {
        replace {
            condition($0)
        } with: { old in
            DeviceLink(
                device: old.device,
                account: old.account,
                client: old.client,
                cookie: old.cookie,
                methods: old.methods,
                lastSeenAt: old.lastSeenAt,
                validity: DeviceValidity(
                    createdAt: old.validity.createdAt,
                    expiresAt: old.validity.expiresAt,
                    revokedAt: now
                )
            )
        }
    }

    private func replace(_ condition: (DeviceLink) -> Bool, with change: (DeviceLink) -> DeviceLink) {
        links.withLock { links in links = links.map { condition($0) ? change($0) : $0 } }
    }
}

/// Runs each unit at once.
struct ImmediateUnitOfWork: UnitOfWork {
    func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        let effects = DurableEffects()
        let value = try body(Transaction(context: Context(), effects: effects))
        effects.run()
        return value
    }

    private final class Context {}
}

/// Time that stands still until it is moved, and random bytes that count up.
final class SettableEnvironment: MonotonicClock {
    private let wall = Mutex(Instant(seconds: 1_800_000_000))
    private let counter = Mutex<UInt8>(0)

    var now: Uptime { Uptime(nanoseconds: 0) }
    func sleep(until deadline: Uptime) async throws {}
    func advance(by duration: Duration) { wall.withLock { $0 = $0 + duration } }
    var instant: Instant { wall.withLock { $0 } }

    var environment: Environment {
        Environment(
            now: { self.instant },
            clock: self,
            randomBytes: { count in
                self.counter.withLock { counter in
                    counter += 1
                    return Array(repeating: counter, count: count)
                }
            }
        )
    }
}
