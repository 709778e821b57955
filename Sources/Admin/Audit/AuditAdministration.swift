package import Audit

/// Port: what commands may ask of the audit.
package protocol AuditAdministration: Sendable {
    /// `lines`: checkpoints that were kept elsewhere; `nil` takes the server's own.
    func verify(against lines: [String]?) async throws -> AuditReport
    /// Returns the newest rows, the last first.
    func newest(_ limit: Int) async throws -> [AuditRow]
    /// Makes a checkpoint of the chain's end if there is none yet; returns the newest line, `nil` when the audit has no rows.
    ///
    /// `isAnew`: the previous checkpoints are lost, which is recorded; only where there are none.
    func checkpoint(isAnew: Bool) async throws -> String?
    /// The public key of checkpoints, a JWK.
    var publicKey: String { get }
}
