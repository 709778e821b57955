package import Kernel

/// Port: the devices' requests, each until a while after its end.
package protocol DeviceAuthorizationStore: Sendable {
    /// Keeps a new one; `false` if its user code is another's, which changes nothing.
    ///
    /// Of that source, and of all, only so many stay: the oldest go.
    func insert(
        _ authorization: DeviceAuthorization,
        keepingPerSource: Int,
        inAll: Int,
        in transaction: borrowing Transaction
    ) throws -> Bool

    func find(userCode: Digest256) async throws -> DeviceAuthorization?

    func find(userCode: Digest256, in transaction: borrowing Transaction) throws -> DeviceAuthorization?

    func find(deviceCode: Digest256) async throws -> DeviceAuthorization?

    func find(deviceCode: Digest256, in transaction: borrowing Transaction) throws -> DeviceAuthorization?

    /// Writes its state over that one: a compare-and-swap, of many at once one gets `true`.
    func update(
        _ authorization: DeviceAuthorization,
        over stage: DeviceAuthorization.Stage,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Deletes up to `limit` that expired before `instant`, the oldest first; returns how many.
    func purge(expiredBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int
}
