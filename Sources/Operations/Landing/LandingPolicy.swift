/// What the page behind a login's link does with its visitor, as it was in force when the operation began.
package struct LandingPolicy: Sendable, Equatable {
    /// What people are told that they sign in to.
    ///
    /// Empty in rows of before it was kept.
    package let clientName: String
    package let step: Step
    /// What a page that asks takes for a yes.
    ///
    /// A press in rows of before there was a choice.
    package let confirmation: Confirmation
    /// Where a login may send the browser back to; compared byte for byte.
    package let returnURLs: [String]
    /// Whether a collection takes the code that the browser brings back.
    package let requiresReturn: Bool
    /// Who starts its logins.
    package let starter: Starter
    /// What a client that is not the operator's own gets by a yes, so that the page says it; `nil` where there is nothing to say.
    package let asked: Asked?
    /// The client that the person signs in to, where a page of the server's own asks for it; `nil`: the one that asks.
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

    /// Whether only a browser that proves the account goes on from the page.
    ///
    /// So for every client that is not the operator's own and asks from a server: else it could open the link itself and
    /// forward the provider's page alone, and the person would agree to what they never read (CIBA Core §7.1 has the
    /// person authenticated and asked by the provider; OpenID Connect Core §3.1.2.4).
    package var needsAccountProof: Bool { asked != nil }

    /// What somebody else's client asks for, by the names that tokens have for it.
    package struct Asked: Sendable, Hashable {
        package let scopes: [String]
        package let resources: [String]

        /// Each in one order, so that what is alike is the same.
        package init(scopes: some Sequence<String>, resources: some Sequence<String>) {
            self.scopes = scopes.sorted()
            self.resources = resources.sorted()
        }
    }

    /// What stands between the link and the scan.
    package enum Step: String, Sendable, CaseIterable {
        /// The page goes on to the provider by itself.
        case redirect
        /// The page says what is being signed in to, for whom, from where and when, and waits for the person.
        case confirm
        /// The start answers with the provider's own address, and the scan begins with it: for trying things out.
        case direct
    }

    /// Who starts a login, as far as that tells something about where the person is.
    package enum Starter: String, Sendable, CaseIterable {
        /// An app or a browser that the person is at.
        case app
        /// A client's server, over a channel that the person is not on (CIBA): what its address is tells them nothing.
        case server
    }

    /// What a page that asks takes for a yes.
    package enum Confirmation: String, Sendable, CaseIterable {
        /// A press of its button.
        case press
        /// A passkey of the account, where it has one; else a press.
        case passkeyIfAny = "passkey-if-any"
    }
}
