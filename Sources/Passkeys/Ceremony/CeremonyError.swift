/// The reason for refusing a ceremony: the error, and the step that requires the opposite.
///
/// Programs get the code, operators the ``CeremonyStepError/explanation``; neither repeats data of the client.
package struct CeremonyError: Error, Sendable, Equatable {
    package let fault: CeremonyStepError
    package let step: CeremonyStep

    package init(_ fault: CeremonyStepError, _ step: CeremonyStep) {
        self.fault = fault
        self.step = step
    }

    /// Stable, snake_case.
    package var code: String { fault.code }
    /// The citation of the step, with the clause of the attestation format if there is one.
    package var clause: String {
        guard case .attestation(let fault, let format) = fault else { return step.clause }
        return "\(step.clause), \(fault.clause(of: format))"
    }
}
