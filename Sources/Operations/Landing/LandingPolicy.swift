/// The policy of an operation's landing page, as it was when the operation began.
package struct LandingPolicy: Sendable, Equatable {
    /// The client's name for people; empty in rows of earlier versions.
    package let clientName: String
    package let step: Step
    /// The confirmation that the page accepts when it asks for one; `press` in rows of earlier versions.
    package let confirmation: Confirmation
    /// The URLs that a login may redirect the browser back to, compared byte for byte.
    package let returnURLs: [String]
    /// Whether a collection needs the return code that the browser carries back to the app.
    package let requiresReturn: Bool
    /// The kind of initiator of the client's logins.
    package let starter: Starter
    /// The access that a confirmation gives to a third-party client, shown on the page; `nil` for the operator's own
    /// clients.
    package let asked: Asked?
    /// The client that the person signs in to, where the server's own page asks; `nil` if it is the requesting client.
    package let signsInTo: String?

    package init(
        clientName: String = "",
        step: Step = .redirect,
        confirmation: Confirmation = .press,
        returnURLs: [String] = [],
        requiresReturn: Bool = false,
        starter: Starter = .app,
        asked: Asked? = nil,
        signsInTo: String? = nil
    ) {
        self.clientName = clientName
        self.step = step
        self.confirmation = confirmation
        self.returnURLs = returnURLs
        self.requiresReturn = requiresReturn
        self.starter = starter
        self.asked = asked
        self.signsInTo = signsInTo
    }

    /// Whether only a browser that proves the account can continue from the page.
    ///
    /// This holds for each third-party client that asks from a server. Otherwise the client could open the link itself
    /// and forward only the provider's page. The person would then agree to something that they never read. In CIBA
    /// Core §7.1, the provider authenticates and asks the person. See also OpenID Connect Core §3.1.2.4.
    package var needsAccountProof: Bool { asked != nil }

    /// The scopes and resources that a third-party client asks for, as tokens name them.
    package struct Asked: Sendable, Hashable {
        package let scopes: [String]
        package let resources: [String]

        /// Sorts both lists, so that equal sets compare as equal.
        package init(scopes: some Sequence<String>, resources: some Sequence<String>) {
            self.scopes = scopes.sorted()
            self.resources = resources.sorted()
        }
    }

    /// The step between the link and the scan.
    package enum Step: String, Sendable, CaseIterable {
        /// The page redirects to the provider automatically.
        case redirect
        /// The page shows the client, the person, the origin and the time of the start, and waits for a confirmation.
        case confirm
        /// The answer to the start has the provider's own URL, and the scan begins at once. This is for demonstrations.
        case direct
    }

    /// The kind of initiator, which decides whether its address says where the person is.
    package enum Starter: String, Sendable, CaseIterable {
        /// An app or browser that the person is using.
        case app
        /// A client's server, which the person is not using (CIBA), so that its address says nothing to them.
        case server
    }

    /// The confirmation that the page accepts when it asks for one.
    package enum Confirmation: String, Sendable, CaseIterable {
        /// A press of the page's button.
        case press
        /// A passkey of the account if it has one, or else a press.
        case passkeyIfAny = "passkey-if-any"
    }
}
