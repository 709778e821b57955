public import Foundation

extension FaceLogin {
    /// The progress of a sign-in, in order: `started`, then changes, then `completed`.
    ///
    /// A failure is thrown.
    public enum Progress: Sendable, Equatable {
        /// The server began the login; its page is about to be opened.
        case started(Started)
        /// The person's current step.
        case waiting(Hint)
        /// A service is slow or unreachable; the sign-in continues, and the next `waiting` says that it has recovered.
        case degraded(Degradation)
        /// Signed in, and the tokens are in the store.
        case completed(SignedIn)
    }

    /// A login as the server began it.
    public struct Started: Sendable, Equatable {
        /// The page of the face scan.
        ///
        /// A secret: show or open it, never log it.
        public let page: URL
        /// The two digits to show to the person, who types them on the page (``Mode/crossDevice``).
        public let number: String?
        /// The lifetime of the login.
        public let lifetime: Duration

        /// A login with that page.
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
        /// The scan is being judged.
        case processing
        /// A hint of a newer server.
        case unknown(String)

        /// The hint with that spelling on the wire.
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

    /// The service that is unreachable for the moment.
    public enum Degradation: Sendable, Equatable {
        /// The provider of the scan, as reported by the server.
        case provider
        /// The server itself, from here.
        case network(NetworkError)
    }
}
