package import Kernel

/// The contexts name the module twice, because existing rows are encrypted with these names.
extension EncryptionContext {
    package static func bankVerifier(of state: Digest256) -> Self { "wallet wallet/enrolment/\(name(state))/verifier" }
    package static func unconfirmedEnrolment(of state: Digest256) -> Self {
        "wallet wallet/enrolment/\(name(state))/held"
    }
    package static func bankAccessToken(_ bankID: String, of account: AccountID) -> Self {
        "wallet wallet/bank/\(account)/\(bankID)/access"
    }
    package static func bankRefreshToken(_ bankID: String, of account: AccountID) -> Self {
        "wallet wallet/bank/\(account)/\(bankID)/refresh"
    }

    private static func name(_ state: Digest256) -> String { Base64URL.encode(state.bytes) }
}
