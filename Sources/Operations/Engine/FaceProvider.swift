package import Kernel

/// The name of a provider in the config (`authid`, `mock`).
package struct ProviderName: Hashable, Sendable, CustomStringConvertible {
    package let text: String
    package init(_ text: String) { self.text = text }
    package var description: String { text }
}

/// The provider's own id of a scan.
///
/// The reference is no secret by itself (the page needs a second value), yet it is never shown to clients.
package struct ProviderReference: Hashable, Sendable {
    package let text: String
    package init(_ text: String) { self.text = text }
}

/// Port: an external service that scans faces, with an adapter in the module FaceProviders.
package protocol FaceProvider: Sendable {
    var name: ProviderName { get }

    /// Whether the provider's page sends the browser back to ``ScanRequest/returnTo`` after the scan.
    var returnsToUs: Bool { get }

    /// The greatest number of status checks at the same time.
    var checkConcurrency: Int { get }

    /// The state of the provider's circuit breaker; `nil` for a provider without one.
    var circuit: ProviderCircuit? { get }

    /// Whether the provider enrols faces, so that a scan request may have an applicant.
    var enrolsFaces: Bool { get }

    /// Starts a scan of a person; returns its reference, and the page to send the person to.
    func begin(_ request: ScanRequest) async throws(ProviderError) -> StartedScan

    /// Returns the status of a scan, and `nonsense` if the answer is about another scan.
    func check(_ reference: ProviderReference) async throws(ProviderError) -> ScanStatus

    /// Returns the status of a scan within the limits of `turn`.
    func check(_ reference: ProviderReference, as turn: CheckTurn) async throws(ProviderError) -> ScanStatus

    /// Whether the provider can cancel a scan that is in progress.
    var cancelsScans: Bool { get }

    /// Cancels a scan that is no longer needed: its page, if still open, does nothing from then on.
    ///
    /// No verdict comes from it, and no caller waits for it.
    func cancel(_ reference: ProviderReference) async throws(ProviderError)
}

extension FaceProvider {
    /// `false`: most providers let a scan end by itself.
    package var cancelsScans: Bool { false }

    package func cancel(_ reference: ProviderReference) async throws(ProviderError) {}
}

extension FaceProvider {
    package var returnsToUs: Bool { false }

    /// `false`: most providers only compare faces, and never get a request with an applicant.
    package var enrolsFaces: Bool { false }
}

/// A request to a provider to begin a scan.
package struct ScanRequest: Sendable, Equatable {
    /// The account's name at the provider (the enrolment's reference), never the person's e-mail address.
    package let enrolment: String
    /// The time that the person has left, to which the provider's own timeout is set.
    package let timeLeft: Duration
    /// The URL to which the provider's page sends the browser after the scan, if the provider does so.
    package let returnTo: String?
    /// The person whose face is to be enrolled, in an account at the provider that is created if need be.
    package let applicant: EnrolmentApplicant?

    package init(enrolment: String, timeLeft: Duration, returnTo: String? = nil, applicant: EnrolmentApplicant? = nil) {
        self.enrolment = enrolment
        self.timeLeft = timeLeft
        self.returnTo = returnTo
        self.applicant = applicant
    }
}

/// A scan that the provider has begun.
package struct StartedScan: Sendable, Equatable {
    package let reference: ProviderReference
    /// The provider's page.
    ///
    /// A bearer secret: it goes to the browser that opened the link and nowhere else. It is stored encrypted.
    package let page: Secret

    package init(reference: ProviderReference, page: Secret) {
        self.reference = reference
        self.page = page
    }
}

/// The status of a scan, independent of its provider.
package enum ScanStatus: Sendable, Equatable {
    case pending(ScanProgress)
    case approved
    case rejected(Rejection)
    /// The provider's own timeout ended the scan.
    case expired
    case canceled
    /// The provider reports that the scan failed.
    case broken
    /// The provider answered about this scan, but the adapter does not know the status. Never an approval.
    case unrecognised
    /// The answer is unusable: it is no document, is too long, or is about another scan. Never an approval, and no sign
    /// that the provider is healthy.
    case nonsense
    /// The provider does not know the scan (yet).
    case unknownReference

    /// The provider's reason for a rejection.
    package enum Rejection: String, Sendable, CaseIterable {
        case declined, notMatched, livenessFailed, tooManyAttempts

        package var failureCode: FailureCode {
            switch self {
            case .declined: .declined
            case .notMatched: .notMatched
            case .livenessFailed: .livenessFailed
            case .tooManyAttempts: .tooManyAttempts
            }
        }
    }
}

/// The reason why a provider could not be called, never a verdict about the person.
package enum ProviderError: Error, Equatable, Sendable {
    /// No usable answer came in time (connection error, timeout, 5xx, garbage). `cause` is for the log.
    case unavailable(cause: String)
    /// The request was certainly not sent: there was no connection, or no access token for it. `cause` is for the log.
    case unreached(cause: String)
    /// The request was not sent: the circuit is open, or too many calls are waiting already. `cause` is for the log.
    case heldBack(cause: String)
    /// The provider answered with a refusal (an unknown account, wrong keys). `cause` is for the log.
    case refused(cause: String)
}
