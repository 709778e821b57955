package import Audit

/// Port: the audit, for commands.
package protocol AuditAdministration: Sendable {
    /// `lines`: checkpoints that were kept elsewhere. `nil`: the server's own.
    func verify(against lines: [String]?) async throws -> AuditReport
    /// Returns the newest rows of all chains, the last first.
    func newest(_ limit: Int) async throws -> [AuditRow]
    /// Returns the newest rows of all chains that pass the filter, the last first.
    func search(_ filter: AuditFilter, limit: Int) async throws -> [AuditRow]
    /// Creates a checkpoint for the last row of each chain, unless there is one already.
    ///
    /// `isAnew`: whether the previous checkpoints are lost, which is recorded. Only allowed if there are none.
    ///
    /// Returns the line of the newest checkpoint of each chain. There is none if the audit has no rows.
    func checkpoint(isAnew: Bool) async throws -> [String]
    /// The public key that verifies checkpoints, a JWK.
    var publicKey: String { get }
}
