extension FaceLogin {
    /// The options of a sign-in.
    ///
    /// The defaults suit an app on the person's own device.
    public struct Options: Sendable, Equatable {
        /// The client that the app is in the server's config; `nil` leaves the choice to the server.
        public var clientID: String?
        /// The device of the scan.
        public var mode: Mode
        /// Ties the login to this process (RFC 7636), so that its id alone collects nothing.
        ///
        /// Turn it off only for a server that doesn't know it.
        public var sendsVerifier: Bool
        /// Seconds that the server may hold a poll until a change; `nil` polls at the server's interval.
        ///
        /// Values outside of `1 ... 30` are clamped.
        public var longPoll: Int?
        /// The address at which the browser returns to the app after the scan; `nil` for none.
        ///
        /// It is one of the addresses that the server's config has for the client. Pass the address that the app is
        /// opened with to ``FaceLogin/handleReturn(_:)``: a client with `requireReturn` signs in by that alone.
        public var returnURL: String?
        /// The longest time of one request, without that of a long poll.
        public var requestTimeout: Duration

        /// Options with those values.
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
