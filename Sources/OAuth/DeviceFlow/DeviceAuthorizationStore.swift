package import Kernel

/// Port: stores the devices' requests, each until some time after its end.
package protocol DeviceAuthorizationStore: Sendable {
    /// Stores a new request; `false`, without a change, if its user code is taken.
    ///
    /// The oldest requests beyond the limits of the source, and of all, are deleted.
    func insert(
        _ authorization: DeviceAuthorization,
        keepingPerSource: Int,
        inAll: Int,
        in transaction: borrowing Transaction
    ) throws -> Bool

    func find(userCode: Digest256, in transaction: borrowing Transaction) throws -> DeviceAuthorization?

    func find(deviceCode: Digest256, in transaction: borrowing Transaction) throws -> DeviceAuthorization?

    /// Writes the state over that stage, as a compare-and-swap: of many at once one gets `true`.
    func update(
        _ authorization: DeviceAuthorization,
        over stage: DeviceAuthorization.Stage,
        in transaction: borrowing Transaction
    ) throws -> Bool
}
