public import Foundation

/// The reason for which a sign-in failed.
///
/// Branch on the case, and show `errorDescription` to the person.
public enum FaceLoginError: Error, Sendable, Equatable {
    /// No e-mail address was given, and none is stored from an earlier sign-in.
    case userNotFound
    /// The server reports that this login has failed for good.
    case authenticationFailed(FaceLogin.Failure)
    /// The login could not be started, or its answers could not be read.
    case networkError(NetworkError)
    /// An address that must not be used: neither https nor http to this machine.
    case invalidURL(InvalidURL)
    /// The page of the scan could not be opened. The login was cancelled.
    case cannotOpenPage
    /// The login has expired, according to the server or to this device's clock.
    case expired
    /// The task was cancelled, and so was the login at the server.
    case cancelled
    /// The login succeeded, but its tokens were already delivered once.
    case alreadyCollected
    /// The server refused the request itself.
    case serverRefused(ServerError)
    /// The token store failed. The text is for a log.
    case storeFailed(String)
    /// The proof of this device could not be created. The text is for a log.
    case deviceProofFailed(String)

    /// The address that must not be used.
    public enum InvalidURL: Sendable, Equatable {
        /// The base URL of the server.
        case server
        /// The page of the face scan, as the server sent it.
        case page
    }
}

/// A request that the server refused: a 4xx other than "later", or a status that the API does not use.
public struct ServerError: Error, Sendable, Equatable {
    /// The HTTP status.
    public let status: Int
    /// A stable snake_case code (`client_required`, `operation_not_found`, …); without one, `http_` and the status.
    public let code: String
    /// The server's sentence for the person.
    public let message: String
    /// The id of the request, which helps the operator to find it.
    public let requestId: String?

    /// Creates an error from its values.
    public init(status: Int, code: String, message: String, requestId: String?) {
        self.status = status
        self.code = code
        self.message = message
        self.requestId = requestId
    }
}

extension FaceLoginError: LocalizedError {
    /// A sentence for the person.
    public var errorDescription: String? {
        switch self {
        case .userNotFound: "Enter your e-mail address to sign in for the first time on this device."
        case .authenticationFailed(let failure): failure.message
        case .networkError(let fault): fault.explanation
        case .invalidURL(.server): "The server's address must begin with https://."
        case .invalidURL(.page): "The server named a page that is not safe to open."
        case .cannotOpenPage: "The page for the face scan could not be opened."
        case .expired: "The time for this sign-in is over."
        case .cancelled: "The sign-in was cancelled."
        case .alreadyCollected: "This sign-in was completed before."
        case .serverRefused(let refusal): refusal.message
        case .storeFailed: "The sign-in could not be saved on this device."
        case .deviceProofFailed: "This device could not prove itself."
        }
    }

    /// Advice for the person, if there is any.
    public var recoverySuggestion: String? {
        switch self {
        case .authenticationFailed(let failure): failure.retryable ? "Try again." : nil
        case .networkError(let fault): fault.mayPass ? "Check the connection and try again." : nil
        case .cannotOpenPage, .expired, .alreadyCollected: "Start again."
        case .serverRefused(let refusal): refusal.requestId.map { "Quote the request \($0) when you ask for help." }
        case .userNotFound, .invalidURL, .cancelled, .storeFailed, .deviceProofFailed: nil
        }
    }
}

extension FaceLoginError {
    /// Whether the login may still be in progress at the server, so that it should be cancelled there.
    var leavesOperationOpen: Bool {
        switch self {
        case .networkError, .invalidURL, .cannotOpenPage, .cancelled, .storeFailed: true
        case .userNotFound, .authenticationFailed, .expired, .alreadyCollected, .serverRefused, .deviceProofFailed:
            false
        }
    }
}
