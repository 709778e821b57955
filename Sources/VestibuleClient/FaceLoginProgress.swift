public import Foundation

extension FaceLogin {
    /// The progress of a sign-in, in order: `started`, then changes, then `completed`.
    ///
    /// A failure is thrown.
    public enum Progress: Sendable, Equatable {
        /// The server has started the login. Its page is about to be opened.
        case started(Started)
        /// The step at which the person is now.
        case waiting(Hint)
        /// A service is slow or unreachable. The sign-in continues, and the next `waiting` means that the service has
        /// recovered.
        case degraded(Degradation)
        /// The person is signed in, and the tokens are stored.
        case completed(SignedIn)
    }

    /// A login that the server has started.
    public struct Started: Sendable, Equatable {
        /// The page of the face scan.
        ///
        /// It is a secret: show or open it, but never log it.
        public let page: URL
        /// The two digits that the app shows and the person types on the page (``Mode/crossDevice``); `nil` in the
        /// other mode.
        public let number: String?
        /// The lifetime of the login.
        public let lifetime: Duration

        /// Creates a login with that page.
        public init(page: URL, number: String?, lifetime: Duration) {
            self.page = page
            self.number = number
            self.lifetime = lifetime
        }
    }

    /// The current step of a pending login.
    public enum Hint: Sendable, Hashable {
        /// The page has not been opened yet.
        case created
        /// The page was opened.
        case linkOpened
        /// The person is at the provider's page.
        case userInProvider
        /// The provider is evaluating the scan.
        case processing
        /// A hint that only newer servers send.
        case unknown(String)

        /// Creates the hint with that spelling in the API.
        public init(wire: String) {
            self =
                switch wire {
                case "created": .created
                case "link_opened": .linkOpened
                case "user_in_provider": .userInProvider
                case "processing": .processing
                default: .unknown(wire)
                }
        }
    }

    /// The service that is temporarily slow or unreachable.
    public enum Degradation: Sendable, Equatable {
        /// The provider of the scan, as reported by the server.
        case provider
        /// The server itself, as this device sees it.
        case network(NetworkError)
    }
}
