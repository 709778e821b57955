/// The answer to `GET /biometric/enrollment/status`.
public struct EnrollmentStatusResponse: Codable, Sendable, Equatable {
    /// The state of the enrolment.
    public var enrollment: EnrollmentView

    /// Creates an answer with that enrolment.
    public init(enrollment: EnrollmentView) { self.enrollment = enrollment }
}

/// An enrolment as the published app reads it.
///
/// Its decoder needs the first six members, and dates as text without fractions.
public struct EnrollmentView: Codable, Sendable, Equatable {
    /// The id with which the app requests the status.
    public var enrollmentId: String
    /// `pending`, `completed` or `failed`.
    public var status: String
    /// Percent.
    public var progress: Int
    /// Whether the account signs in by a face.
    public var completed: Bool
    /// UTC, `2026-01-31T09:05:00Z`.
    public var createdAt: String
    /// UTC; far in the future for a completed enrolment.
    public var expiresAt: String
    /// The page to open (only if an enrolment was started).
    public var authUrl: String?
    /// The same as ``authUrl``.
    public var authIdUrl: String?
    /// The page that the published app opens: ``authUrl``, or a page that explains the next step.
    public var enrollmentUrl: String?
    /// The same address as ``enrollmentUrl``, which the published app draws as a QR code.
    public var qrCode: String?

    /// Creates an enrolment without a page.
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
