import Kernel
import Synchronization

/// The keys with which registered devices have proved themselves, by the devices' names.
///
/// They tell a device apart from a caller who only knows its name, before the database is read. The cache is in memory
/// and bounded, and drops the oldest key first. A dropped device only loses this advantage.
final class VerifiedKeyCache: Sendable {
    static let capacity = 10_000

    private struct Proven {
        var key: DeviceKey
        /// The highest count of a proof: only a proof with a higher count is accepted.
        var count: Int64
    }

    private let proven = Mutex(BoundedMap<DeviceName, Proven>(capacity: VerifiedKeyCache.capacity))

    func note(_ key: DeviceKey, _ device: DeviceName, count: Int64) {
        proven.withLock { proven in
            let known = proven[device]
            let highest = known?.key == key ? max(known?.count ?? count, count) : count
            proven.set(Proven(key: key, count: highest), for: device)
        }
    }

    /// Returns the device's key for a proof with that count; `nil` for an unknown device or an old count.
    func key(of device: DeviceName, count: Int64) -> DeviceKey? {
        proven.withLock { $0[device].flatMap { count > $0.count ? $0.key : nil } }
    }

    var count: Int { proven.withLock(\.count) }
}
