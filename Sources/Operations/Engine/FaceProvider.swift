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

/// Port: an outside service that scans faces.
///
/// One adapter each, in FaceProviders.
package protocol FaceProvider: Sendable {
    var name: ProviderName { get }

    /// Whether its page sends the browser back to ``ScanRequest/returnTo`` after the scan.
    var returnsToUs: Bool { get }

    /// How many status checks may be under way at the same time.
    var checkConcurrency: Int { get }

    /// Whether calls reach it at present; `nil` where nothing guards it.
    var circuit: ProviderCircuit? { get }

    /// Whether it enrols faces: whether a scan may be of an applicant.
    var enrolsFaces: Bool { get }

    /// Starts a scan of that person. Returns what to follow and the page to send the person to.
    func begin(_ request: ScanRequest) async throws(ProviderError) -> StartedScan

    /// Asks where a scan stands. The answer is about that scan: an adapter that gets another's says `nonsense`.
    func check(_ reference: ProviderReference) async throws(ProviderError) -> ScanStatus

    /// The same, bounded as its turn says.
    func check(_ reference: ProviderReference, as turn: CheckTurn) async throws(ProviderError) -> ScanStatus

    /// Whether it can end a scan before its time.
    var cancelsScans: Bool { get }

    /// Ends a scan that nobody needs any more: the page that a person may still have open does nothing then.
    ///
    /// What comes of it is no verdict, and nothing waits for it.
    func cancel(_ reference: ProviderReference) async throws(ProviderError)
}

extension FaceProvider {
    /// Most leave a scan to its own end.
    package var cancelsScans: Bool { false }

    package func cancel(_ reference: ProviderReference) async throws(ProviderError) {}
}

extension FaceProvider {
    package var returnsToUs: Bool { false }

    /// Most only match; a request with an applicant never reaches those.
    package var enrolsFaces: Bool { false }
}

/// What a provider is asked to do.
package struct ScanRequest: Sendable, Equatable {
    /// The account's name at the provider (an enrolment's reference), never the person's e-mail.
    package let enrolment: String
    /// The time that the person has; the provider's own timeout is set to it.
    package let timeLeft: Duration
    /// Where its page is to send the browser after the scan; only for those that do.
    package let returnTo: String?
    /// Set when the face is to be enrolled; its account at the provider is made if there is none.
    package let applicant: EnrolmentApplicant?

    package init(
        enrolment: String,
        timeLeft: Duration,
        returnTo: String? = nil,
        applicant: EnrolmentApplicant? = nil
    ) {
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

/// Where a scan stands, in our words.
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
    /// No answer to what was asked: no document, one without end, or one about another scan. Never an approval, and no
    /// sign that the provider is well.
    case nonsense
    /// The provider does not know the scan (yet).
    case unknownReference

    /// Why the provider said no.
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

/// Why a provider could not be asked.
///
/// Never a verdict about the person.
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
