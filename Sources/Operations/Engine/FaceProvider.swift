package import Kernel

/// A configured provider's name (`authid`, `mock`).
package struct ProviderName: Hashable, Sendable, CustomStringConvertible {
    package let text: String
    package init(_ text: String) { self.text = text }
    package var description: String { text }
}

/// The provider's own id of a scan.
///
/// Not a secret by itself (the page needs a second one), yet never shown to clients.
package struct ProviderReference: Hashable, Sendable {
    package let text: String
    package init(_ text: String) { self.text = text }
}

/// Port: an outside service that scans faces; FaceProviders has an adapter for each.
package protocol FaceProvider: Sendable {
    var name: ProviderName { get }

    /// Whether its page sends the browser back to ``ScanRequest/returnTo`` after the scan.
    var returnsToUs: Bool { get }

    /// How many status checks may be in progress at the same time.
    var checkConcurrency: Int { get }

    /// Whether calls reach it at present; `nil` where nothing guards it.
    var circuit: ProviderCircuit? { get }

    /// Whether it enrols faces: whether a scan may be of an applicant.
    var enrolsFaces: Bool { get }

    /// Starts a scan of that person. Returns what to follow and the page to send the person to.
    func begin(_ request: ScanRequest) async throws(ProviderError) -> StartedScan

    /// Asks for the status of a scan. An adapter that gets an answer about another scan returns `nonsense`.
    func check(_ reference: ProviderReference) async throws(ProviderError) -> ScanStatus

    /// Asks for the status of a scan within the bounds of the turn.
    func check(_ reference: ProviderReference, as turn: CheckTurn) async throws(ProviderError) -> ScanStatus

    /// Whether it can end a scan before its time.
    var cancelsScans: Bool { get }

    /// Ends a scan that is no longer needed: a page that a person still has open does nothing then.
    ///
    /// The result is not a verdict, and nothing waits for it.
    func cancel(_ reference: ProviderReference) async throws(ProviderError)
}

extension FaceProvider {
    /// `false`: most providers let a scan end by itself.
    package var cancelsScans: Bool { false }

    package func cancel(_ reference: ProviderReference) async throws(ProviderError) {}
}

extension FaceProvider {
    package var returnsToUs: Bool { false }

    /// `false`: most providers only match, and never get a request with an applicant.
    package var enrolsFaces: Bool { false }
}

/// A request to a provider to begin a scan.
package struct ScanRequest: Sendable, Equatable {
    /// The account's name at the provider (an enrolment's reference), never the person's e-mail.
    package let enrolment: String
    /// The time that the person has; the provider's own timeout is set to it.
    package let timeLeft: Duration
    /// Where its page is to send the browser after the scan; only for those that do.
    package let returnTo: String?
    /// The person whose face is to be enrolled; the account at the provider is created if it does not exist.
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
    /// A bearer secret: it goes to the browser that opened the link and nowhere else.
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
    /// The provider's own time ran out.
    case expired
    case canceled
    /// The provider says that it failed.
    case broken
    /// An answer about the scan that means nothing to the adapter. Never an approval.
    case unrecognised
    /// Not an answer to the question: no document, an endless one, or one about another scan. Never an approval, and
    /// not a sign that the provider is healthy.
    case nonsense
    /// The provider does not know the scan (yet).
    case unknownReference

    /// The reason of the provider for a rejection.
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

/// The reason why a provider could not be asked; never a verdict about the person.
package enum ProviderError: Error, Equatable, Sendable {
    /// No usable answer in time (connection, timeout, 5xx, garbage). `cause` is for the log.
    case unavailable(cause: String)
    /// The request was surely not sent: there was no connection, or no token for it. `cause` is for the log.
    case unreached(cause: String)
    /// It was not asked: its circuit is open, or too many calls wait for it already. `cause` is for the log.
    case heldBack(cause: String)
    /// The provider answered and refused to do it (an unknown account, wrong keys). `cause` is for the log.
    case refused(cause: String)
}
