package import Kernel

/// What the wallet's sealed columns are sealed as: none opens in another's place or in another row.
package enum SealContext {
    package static func verifier(of state: Digest256) -> String { "wallet/enrolment/\(name(state))/verifier" }
    package static func held(of state: Digest256) -> String { "wallet/enrolment/\(name(state))/held" }
    package static func access(_ bankID: String, of account: AccountID) -> String {
        "wallet/bank/\(account)/\(bankID)/access"
    }
    package static func refresh(_ bankID: String, of account: AccountID) -> String {
        "wallet/bank/\(account)/\(bankID)/refresh"
    }

    private static func name(_ state: Digest256) -> String { Base64URL.encode(state.bytes) }
}
