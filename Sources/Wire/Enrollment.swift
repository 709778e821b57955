/// The answer to `GET /biometric/enrollment/status`.
public struct EnrollmentStatusResponse: Codable, Sendable, Equatable {
    /// Where the enrolment stands.
    public var enrollment: EnrollmentView

    /// An answer with that enrolment.
    public init(enrollment: EnrollmentView) { self.enrollment = enrollment }
}

/// An enrolment as the published app reads it.
///
/// Its decoder needs the first six, and its dates as text without fractions.
public struct EnrollmentView: Codable, Sendable, Equatable {
    /// What to ask for its status with.
    public var enrollmentId: String
    /// `pending`, `completed` or `failed`.
    public var status: String
    /// Percent.
    public var progress: Int
    /// Whether a face signs the account in.
    public var completed: Bool
    /// UTC, `2026-01-31T09:05:00Z`.
    public var createdAt: String
    /// The same; far ahead for an enrolment that is complete.
    public var expiresAt: String
    /// The page to open (only where an enrolment was started).
    public var authUrl: String?
    /// The same as ``authUrl``.
    public var authIdUrl: String?
    /// The page that the published app opens: the same as ``authUrl``, or the one that says what to do first.
    public var enrollmentUrl: String?
    /// The same address, as the text that the published app draws its code from.
    public var qrCode: String?

    /// An enrolment without a page.
    public init(
        enrollmentId: String,
        status: String,
        progress: Int,
        completed: Bool,
        createdAt: String,
        expiresAt: String
    ) {
        self.enrollmentId = enrollmentId
        self.status = status
        self.progress = progress
        self.completed = completed
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
