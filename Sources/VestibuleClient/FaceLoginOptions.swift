extension FaceLogin {
    /// The options of a sign-in.
    ///
    /// The defaults suit an app on the person's own device.
    public struct Options: Sendable, Equatable {
        /// The client id of the app in the server's config; with `nil`, the server chooses the client.
        public var clientID: String?
        /// The device on which the person does the scan.
        public var mode: Mode
        /// Whether to bind the login to this process (RFC 7636), so that its id alone is not enough to get the tokens.
        ///
        /// Turn it off only for a server that does not support it.
        public var sendsVerifier: Bool
        /// The seconds for which the server may hold a poll until something changes; `nil` polls at the server's
        /// interval.
        ///
        /// Values outside of `1 ... 30` are clamped.
        public var longPoll: Int?
        /// The address with which the browser returns to the app after the scan; `nil` for none.
        ///
        /// It must be one of the client's addresses in the server's config. Pass the address that opens the app to
        /// ``FaceLogin/handleReturn(_:)``. A client with `requireReturn` cannot sign in without it.
        public var returnURL: String?
        /// The longest time of one request.
        ///
        /// The time of a long poll is added.
        public var requestTimeout: Duration

        /// Creates options with those values.
        public init(
            clientID: String? = nil,
            mode: Mode = .sameDevice,
            sendsVerifier: Bool = true,
            longPoll: Int? = nil,
            returnURL: String? = nil,
            requestTimeout: Duration = .seconds(10)
        ) {
            self.clientID = clientID
            self.mode = mode
            self.sendsVerifier = sendsVerifier
            self.longPoll = longPoll
            self.returnURL = returnURL
            self.requestTimeout = requestTimeout
        }
    }

    /// The device on which the person does the scan.
    public enum Mode: String, Sendable, CaseIterable {
        /// On the device that runs the app.
        case sameDevice = "same-device"
        /// On a different device, where the person types the number that the app shows.
        case crossDevice = "cross-device"
    }
}
