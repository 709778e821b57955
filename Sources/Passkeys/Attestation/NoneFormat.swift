/// No attestation (WebAuthn L3 §8.7).
package struct NoneFormat: AttestationFormat {
    package let identifier = "none"

    package init() {}

    package func verify(_ input: AttestationInput) throws(AttestationError) -> AttestationResult {
        guard input.statement.members.isEmpty else { throw .malformed }
        return AttestationResult(.none)
    }
}
