import Kernel
import Synchronization

/// The keys that have proved a linked device, by its name: what tells a device from somebody who only knows that name,
/// before the store is asked.
///
/// In memory and bounded, the oldest going first; to be forgotten costs a device nothing but this.
final class ProvenKeys: Sendable {
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

    private struct State {
        var proven: [Name: Proven] = [:]
        var order: [Name] = []
        var oldest = 0
    }

    private let state = Mutex(State())

    func note(_ key: DeviceKey, _ device: Name, count: Int64) {
        state.withLock { state in
            let known = state.proven[device]
            let highest = known?.key == key ? max(known?.count ?? count, count) : count
            state.proven[device] = Proven(key: key, count: highest)
            guard known == nil else { return }
            guard state.order.count == Self.capacity else { return state.order.append(device) }
            state.proven[state.order[state.oldest]] = nil
            state.order[state.oldest] = device
            state.oldest = (state.oldest + 1) % Self.capacity
        }
    }

    /// The key of the device, for a proof with that count; `nil` for a device that is not known, or a count of before.
    func key(of device: Name, count: Int64) -> DeviceKey? {
        state.withLock { $0.proven[device].flatMap { count > $0.count ? $0.key : nil } }
    }

    var count: Int { state.withLock(\.proven.count) }
}
