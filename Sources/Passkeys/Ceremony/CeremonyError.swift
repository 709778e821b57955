/// The reason for refusing a ceremony: the error, and the step of WebAuthn that the response violates.
///
/// Programs get the code, operators the ``CeremonyStepError/explanation``. Neither contains data of the client.
package struct CeremonyError: Error, Sendable, Equatable {
    package let fault: CeremonyStepError
    package let step: CeremonyStep

    package init(_ fault: CeremonyStepError, _ step: CeremonyStep) {
        self.fault = fault
        self.step = step
    }

    /// A stable code for programs, in snake_case.
    package var code: String { fault.code }
    /// The citation of the violated step, with the clause of the attestation format if there is one.
    package var clause: String {
        guard case .attestation(let fault, let format) = fault else { return step.clause }
        return "\(step.clause), \(fault.clause(of: format))"
    }
}
