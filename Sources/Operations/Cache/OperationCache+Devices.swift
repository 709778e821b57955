import Kernel
import Synchronization

/// The undecided logins of a linked device, which a newer login of the same device supersedes.
extension OperationCache {
    /// Returns the device's logins that can be superseded, in the order in which they entered the cache.
    func undecided(of device: DeviceID) -> [Operation] {
        let ids = devices.operations(of: device)
        return ids.compactMap { card($0)?.operation }.filter { $0.undecidedDevice == device }
    }

    /// The number of operations in the index by device.
    package var deviceIndexCount: Int { devices.count }
}

/// The index by device.
///
/// It changes under the lock of the operation's shard, so that it follows the versions in their order.
final class DeviceIndex: Sendable {
    private let entries = Mutex<[DeviceID: [Digest256]]>([:])

    var count: Int { entries.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    func operations(of device: DeviceID) -> [Digest256] { entries.withLock { $0[device] ?? [] } }

    /// Moves an operation's entry from one version to the next; `nil` means that the operation is not in the cache.
    func move(from old: Operation?, to new: Operation?) {
        let (before, after) = (old?.undecidedDevice, new?.undecidedDevice)
        guard before != after else { return }
        entries.withLock { entries in
            if let before, let id = old?.credentials.publicID {
                entries[before]?.removeAll { $0 == id }
                if entries[before]?.isEmpty == true { entries[before] = nil }
            }
            if let after, let id = new?.credentials.publicID { entries[after, default: []].append(id) }
        }
    }
}

extension Operation {
    /// The linked device that started the login, while a newer login may supersede it.
    ///
    /// `nil` for an enrolment and an approval. Only the session that started them may end them, not a caller with the
    /// device's cookie alone.
    var undecidedDevice: DeviceID? {
        guard request.purpose == .login else { return nil }
        return switch state.name {
        case .created, .opened, .pending: request.device
        case .approved, .redeemed, .closed, .failed: nil
        }
    }
}
