import Accounts
import Audit
import Kernel
import OAuth
import Tokens

/// An expected refusal of a command.
package struct AdminError: Error, Codable, Sendable, Equatable {
    /// A stable code, for scripts.
    package let code: String
    /// A sentence for people.
    package let message: String

    package init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// Converts an error of a use case; `nil` for an error that is no expected refusal.
    init?(_ error: any Error) {
        switch error {
        case let error as AdminError: self = error
        case let fault as AccountError: self.init(code: fault.code, message: fault.message)
        case let error as ClientError: self.init(code: error.code, message: error.message)
        case let fault as KeyError: self.init(code: fault.code, message: "\(fault)")
        case let missing as AuditEndMissingError: self.init(code: "audit_end_missing", message: "\(missing)")
        case let rewritten as AuditRewrittenError: self.init(code: "audit_rewritten", message: "\(rewritten)")
        case let forged as AuditCheckpointForgedError: self.init(code: "audit_checkpoint_forged", message: "\(forged)")
        case let missing as AuditCheckpointsMissingError:
            self.init(code: "audit_checkpoints_missing", message: "\(missing)")
        case let there as AuditCheckpointsPresentError: self.init(code: "audit_checkpoints_there", message: "\(there)")
        case let failure as StoreError:
            self.init(code: "store_unavailable", message: "The database cannot be used: \(failure)")
        default: return nil
        }
    }
}

extension KeyError {
    fileprivate var code: String {
        guard case .refused(let refusal) = self else { return "keys_unavailable" }
        return switch refusal {
        case .unknownKey: "key_not_found"
        case .activeKey: "key_active"
        case .retiredAlready: "key_retired"
        case .notAnnounced: "key_not_announced"
        }
    }
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// Reads the name of a state, as the command line takes it.
    init(state name: String) throws(AdminError) {
        guard let state = Self(rawValue: name) else {
            let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw AdminError(code: "unknown_state", message: "The state \(name) is unknown. Known states: \(known).")
        }
        self = state
    }
}
