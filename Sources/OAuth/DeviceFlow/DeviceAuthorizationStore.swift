package import Kernel

/// Port: stores the requests of devices, each until some time after its end.
package protocol DeviceAuthorizationStore: Sendable {
    /// Stores a new request; returns `false`, without a change, if its user code is taken.
    ///
    /// The oldest requests beyond the limits of the source and of all sources are deleted.
    func insert(
        _ authorization: DeviceAuthorization,
        keepingPerSource: Int,
        inAll: Int,
        in transaction: borrowing Transaction
    ) throws -> Bool

    func find(userCode: Digest256, in transaction: borrowing Transaction) throws -> DeviceAuthorization?

    func find(deviceCode: Digest256, in transaction: borrowing Transaction) throws -> DeviceAuthorization?

    /// Writes the state if the stored stage is `stage`: of several calls at once, one gets `true`.
    func update(
        _ authorization: DeviceAuthorization,
        over stage: DeviceAuthorization.Stage,
        in transaction: borrowing Transaction
    ) throws -> Bool
}
