import Kernel
import Synchronization

/// The keys that have proved a linked device, by its name: what tells a device from somebody who only knows that name,
/// before the store is asked.
///
/// In memory and bounded, the oldest going first; to be forgotten costs a device nothing but this.
final class VerifiedKeyCache: Sendable {
    static let capacity = 10_000

    /// What a client calls one of its devices.
    struct Name: Hashable {
        let client: String
        let device: String
    }

    private struct Proven {
        var key: DeviceKey
        /// The highest that a proof had: none below is good any more.
        var count: Int64
    }

    private let proven = Mutex(BoundedMap<Name, Proven>(capacity: VerifiedKeyCache.capacity))

    func note(_ key: DeviceKey, _ device: Name, count: Int64) {
        proven.withLock { proven in
            let known = proven[device]
            let highest = known?.key == key ? max(known?.count ?? count, count) : count
            proven.set(Proven(key: key, count: highest), for: device)
        }
    }

    /// The key of the device, for a proof with that count; `nil` for a device that is not known, or a count of before.
    func key(of device: Name, count: Int64) -> DeviceKey? {
        proven.withLock { $0[device].flatMap { count > $0.count ? $0.key : nil } }
    }

    var count: Int { proven.withLock(\.count) }
}
