/// The policy of the page behind a login's link, as it was in force when the operation began.
package struct LandingPolicy: Sendable, Equatable {
    /// The name that people are shown; empty in older rows.
    package let clientName: String
    package let step: Step
    /// The confirmation that a page that asks accepts; a press in older rows.
    package let confirmation: Confirmation
    /// The addresses that a login may redirect the browser back to; compared byte for byte.
    package let returnURLs: [String]
    /// Whether a collection needs the code that the browser brings back.
    package let requiresReturn: Bool
    /// The kind of initiator of its logins.
    package let starter: Starter
    /// What a third-party client gets by a confirmation, so that the page shows it; `nil` for the operator's own
    /// clients.
    package let asked: Asked?
    /// The client that the person signs in to, where the server's own page asks; `nil` for the client that asks.
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

    /// Whether only a browser that proves the account continues from the page.
    ///
    /// That holds for each third-party client that asks from a server. Otherwise it could open the link itself and
    /// forward the provider's page alone, and the person would agree to what they never read. In CIBA Core §7.1 the
    /// provider authenticates and asks the person; see also OpenID Connect Core §3.1.2.4.
    package var needsAccountProof: Bool { asked != nil }

    /// What a third-party client asks for, by the names in tokens.
    package struct Asked: Sendable, Hashable {
        package let scopes: [String]
        package let resources: [String]

        /// Sorts both, so that equal sets are equal.
        package init(scopes: some Sequence<String>, resources: some Sequence<String>) {
            self.scopes = scopes.sorted()
            self.resources = resources.sorted()
        }
    }

    /// The step between the link and the scan.
    package enum Step: String, Sendable, CaseIterable {
        /// The page redirects to the provider by itself.
        case redirect
        /// The page says what is being signed in to, for whom, from where and when, and waits for the person.
        case confirm
        /// The start answers with the provider's own address, and the scan begins with it: for trying things out.
        case direct
    }

    /// The kind of initiator, as far as it tells where the person is.
    package enum Starter: String, Sendable, CaseIterable {
        /// An app or a browser that the person is at.
        case app
        /// A client's server, over a channel that the person is not on (CIBA): its address tells them nothing.
        case server
    }

    /// The confirmation that a page that asks accepts.
    package enum Confirmation: String, Sendable, CaseIterable {
        /// A press of its button.
        case press
        /// A passkey of the account, where it has one; else a press.
        case passkeyIfAny = "passkey-if-any"
    }
}
