extension FaceLogin {
    /// The server's reason for a failed login.
    public struct Failure: Sendable, Equatable {
        /// The code to branch on.
        public let code: Code
        /// A sentence for the person.
        public let message: String
        /// Whether starting again may help.
        public let retryable: Bool

        /// Creates a failure from its values.
        public init(code: Code, message: String, retryable: Bool) {
            self.code = code
            self.message = message
            self.retryable = retryable
        }

        /// A stable snake_case code.
        ///
        /// A newer server may send codes that are not listed here.
        public struct Code: RawRepresentable, Hashable, Sendable {
            /// The code as it is on the wire.
            public let rawValue: String

            /// Creates the code with that spelling.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The person declined the scan.
            public static let declined = Self(rawValue: "declined")
            /// The person reported on the page that another person started this login.
            public static let deniedNotMe = Self(rawValue: "denied_not_me")
            /// The face is not the enrolled one.
            public static let notMatched = Self(rawValue: "not_matched")
            /// No live face was seen.
            public static let livenessFailed = Self(rawValue: "liveness_failed")
            /// Too many attempts.
            public static let tooManyAttempts = Self(rawValue: "too_many_attempts")
            /// The login has expired.
            ///
            /// It is thrown as ``FaceLoginError/expired``.
            public static let expired = Self(rawValue: "expired")
            /// The login was cancelled, on the page or by another request.
            public static let canceled = Self(rawValue: "canceled")
            /// A newer login of the same device replaced this one.
            public static let superseded = Self(rawValue: "superseded")
            /// The provider of the scan reported an error.
            public static let providerError = Self(rawValue: "provider_error")
            /// The provider of the scan could not be reached before the login expired.
            public static let providerUnavailable = Self(rawValue: "provider_unavailable")
            /// The account is blocked.
            public static let accountBlocked = Self(rawValue: "account_blocked")
        }
    }
}
