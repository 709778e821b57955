public import Foundation

/// The reason for which a sign-in failed.
///
/// Branch on the case; show `errorDescription` to the person.
public enum FaceLoginError: Error, Sendable, Equatable {
    /// No e-mail address was given, and none is remembered from an earlier sign-in.
    case userNotFound
    /// The server's verdict: this login failed and stays so.
    case authenticationFailed(FaceLogin.Failure)
    /// The login could not be started, or its answers could not be read.
    case networkError(NetworkError)
    /// An address that must not be used: neither https nor http to this machine.
    case invalidURL(InvalidURL)
    /// The page for the scan could not be opened; the login was cancelled.
    case cannotOpenPage
    /// The time for this login is over, by the server's word or by this device's clock.
    case expired
    /// The task was cancelled, and the login at the server with it.
    case cancelled
    /// The login succeeded, but its tokens were handed out before and are not handed out again.
    case alreadyCollected
    /// The server refused the request itself.
    case serverRefused(ServerError)
    /// The token store failed; the text is for a log.
    case storeFailed(String)
    /// The proof of this device could not be made; the text is for a log.
    case deviceProofFailed(String)

    /// The unusable address.
    public enum InvalidURL: Sendable, Equatable {
        /// The base URL of the server.
        case server
        /// The page for the face scan, as the server named it.
        case page
    }
}

/// A request that the server refused: 4xx other than "later", or a status that the API doesn't know.
public struct ServerError: Error, Sendable, Equatable {
    /// The HTTP status.
    public let status: Int
    /// A stable snake_case code (`client_required`, `operation_not_found`, …); `http_` and the status without one.
    public let code: String
    /// The server's sentence for the person.
    public let message: String
    /// The id of the request, to be quoted to the operator.
    public let requestId: String?

    /// A refusal with its text.
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

    /// The person's remedy, if there is one.
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
