import Kernel

/// What the wallet's sealed columns are sealed as: none opens in another's place or in another row.
enum SealContext {
    static func verifier(of state: Digest256) -> String { "wallet/enrolment/\(name(state))/verifier" }
    static func held(of state: Digest256) -> String { "wallet/enrolment/\(name(state))/held" }
    static func access(_ bankID: String, of account: AccountID) -> String { "wallet/bank/\(account)/\(bankID)/access" }
    static func refresh(_ bankID: String, of account: AccountID) -> String {
        "wallet/bank/\(account)/\(bankID)/refresh"
    }

    private static func name(_ state: Digest256) -> String { Base64URL.encode(state.bytes) }
}
