package import Kernel
package import OAuth

/// The devices' requests of the in-memory store, in the order in which they came.
package struct MemoryDeviceAuthorizationStore: DeviceAuthorizationStore {
    package func insert(
        _ authorization: DeviceAuthorization,
        keepingPerSource: Int,
        inAll: Int,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let draft = try transaction.draft()
        var held = draft.tables.deviceAuthorizations
        guard !held.contains(where: { $0.deviceCode == authorization.deviceCode }) else {
            throw StoreError.conflict(cause: "there is such a device code")
        }
        guard !held.contains(where: { $0.userCode == authorization.userCode }) else { return false }
        held.append(authorization)
        let others = held.filter { $0.source == authorization.source }.dropLast(keepingPerSource)
        held.removeAll { one in others.contains { $0.deviceCode == one.deviceCode } }
        draft.tables.deviceAuthorizations = held.suffix(inAll)
        return true
    }

    package func find(userCode: Digest256, in transaction: borrowing Transaction) throws -> DeviceAuthorization? {
        try transaction.draft().tables.deviceAuthorizations.first { $0.userCode == userCode }
    }

    package func find(deviceCode: Digest256, in transaction: borrowing Transaction) throws -> DeviceAuthorization? {
        try transaction.draft().tables.deviceAuthorizations.first { $0.deviceCode == deviceCode }
    }

    package func update(
        _ authorization: DeviceAuthorization,
        over stage: DeviceAuthorization.Stage,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let draft = try transaction.draft()
        guard
            let index = draft.tables.deviceAuthorizations.firstIndex(where: {
                $0.deviceCode == authorization.deviceCode && $0.state.stage == stage
            })
        else { return false }
        draft.tables.deviceAuthorizations[index] = authorization
        return true
    }
}
