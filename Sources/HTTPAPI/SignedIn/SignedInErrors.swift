import HTTPTypes
import Operations

// The errors of approvals and enrolments.
extension APIError {
    /// The message to approve is empty, too long, or has characters that hide.
    ///
    /// What to do: Correct the client.
    static let invalidMessage = APIError(
        "invalid_message",
        "“message” must be one line of 1 to \(ApprovalRequest.messageLimit) characters, without control characters "
            + "or hidden characters."
    )

    /// The amount or its currency is not well-formed.
    ///
    /// What to do: Correct the client: an amount as text, a currency of ISO 4217.
    static let invalidAmount = APIError(
        "invalid_amount",
        "The amount must be a number as text, like \"1250.00\", with at most the decimals of its currency. The "
            + "currency must be three capital letters."
    )

    /// The payee is empty, too long, or has characters that hide.
    ///
    /// What to do: Correct the client.
    static let invalidPayee = APIError(
        "invalid_payee",
        "“payee” must be one line of 1 to \(ApprovalRequest.payeeLimit) characters, without control characters or "
            + "hidden characters."
    )

    /// The hash of the payload is not a SHA-256 in base64url.
    ///
    /// What to do: Correct the client.
    static let invalidPayloadHash = APIError(
        "invalid_payload_hash",
        "“payloadHash” must be a SHA-256 in base64url: 43 characters without padding."
    )

    /// No provider of the config enrols faces.
    ///
    /// What to do: Hide the offer. The operator enrols by `vestibule accounts enroll`.
    static let enrollmentNotOffered = APIError(
        "enrollment_not_offered",
        "Faces are not enrolled here. Ask your administrator.",
        status: .notFound
    )

    /// The person has not consented to that client.
    ///
    /// What to do: List the consents again.
    static let consentNotFound = APIError(
        "consent_not_found",
        "You have not consented to such a client. List your consents again.",
        status: .notFound
    )

    /// No face of the account is enrolled.
    ///
    /// What to do: Offer the enrolment, then repeat the request.
    static let notEnrolled = APIError(
        "not_enrolled",
        "No face of this account is enrolled. Enrol one first.",
        status: .conflict
    )
}

extension ApprovalRequest.ValidationError: APIErrorConvertible {
    var apiError: APIError {
        switch self {
        case .message: .invalidMessage
        case .payee: .invalidPayee
        }
    }
}

extension ApprovalError: APIErrorConvertible {
    var apiError: APIError {
        switch self {
        case .notEnrolled: .notEnrolled
        case .sessionOver: .unauthorized(.badToken)
        }
    }
}

extension EnrolmentError: APIErrorConvertible {
    var apiError: APIError {
        switch self {
        case .notOffered: .enrollmentNotOffered
        case .sessionOver: .unauthorized(.badToken)
        case .replacementNotProven: .stepUpRequired
        }
    }
}
