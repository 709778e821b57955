import Web

/// The content of `pages/account.mustache`: the overview, and every page of a change.
///
/// Members of inner values have other names than those of outer ones: a template looks an absent one up outside.
struct AccountContent: Sendable {
    let title: String
    /// The name of the account.
    var person: String?
    /// The address of the overview; `nil` on the overview itself.
    var back: String?
    var lead: String?
    /// The change that was just made.
    var status: String?
    var fault: String?
    /// The sections of the overview, for the list of links at its top.
    var contents: Contents?
    var sections: [Section] = []

    struct Contents: Sendable {
        let entries: [Entry]

        struct Entry: Sendable {
            let anchor: String
            let heading: String
        }
    }

    struct Wait: Sendable {
        /// The address of the stream of the scan's events.
        let events: String
        /// The address of this page, which knows the outcome.
        let look: String
        let secondsLeft: Int64
        /// The address of the scan; `nil` if this browser does not know it.
        let scan: String?
        let steps: [SignInWaitContent.Step]
        let state: String
    }

    /// A part of the page with a heading of its own.
    struct Section: Sendable {
        let anchor: String
        /// `nil` where the page's own heading says it.
        var heading: String?
        var intro: String?
        /// What the form's button ends, sentence by sentence.
        var ends: SentenceList?
        /// The progress of a scan in another tab.
        var wait: Wait?
        var list: ItemList?
        var acts: ActList?
        var form: Form?
    }

    struct SentenceList: Sendable {
        let sentences: [String]

        /// Returns `nil` for no sentences.
        init?(_ sentences: [String]) {
            guard !sentences.isEmpty else { return nil }
            self.sentences = sentences
        }
    }

    struct ItemList: Sendable {
        let items: [Item]
        /// The sentence in the place of items; `nil` if there are items.
        let none: String?
    }

    /// A thing of the account: a session, a passkey, an app.
    struct Item: Sendable {
        let name: String
        /// The pictogram before the name.
        var picture: Picture?
        var badge: String?
        /// Short texts beside each other.
        var details: [String] = []
        var granted: SentenceList?
        var own: ActList?
    }

    /// A drawing of lines, with the words for those who do not see it.
    struct Picture: Sendable {
        let alternative: String
        let outline: String
    }

    struct ActList: Sendable {
        let all: [Act]
        /// What the passkey that they add waits for.
        var passkeyWait: PasskeyWait?

        /// Returns `nil` for no acts.
        init?(_ acts: [Act]) {
            guard !acts.isEmpty else { return nil }
            all = acts
        }
    }

    /// A link, or a form that is only a button.
    struct Act: Sendable {
        let label: String
        /// The name of the thing that the act is about, for screen readers.
        var about: String?
        var link: String?
        var press: Press?
        /// The style class.
        var tone = ButtonStyle.plain.rawValue
    }

    struct Press: Sendable {
        let path: String
        let token: String
        var fields: [HiddenField] = []
    }

    struct HiddenField: Sendable {
        let key: String
        let value: String
    }

    /// A form with fields to type in.
    struct Form: Sendable {
        let action: String
        let formToken: String
        /// The name that a password manager keeps the form's password for; `nil` in a form without a password.
        var username: String?
        var hidden: [HiddenField] = []
        var inputs: [Input] = []
        let button: String
        /// The style class of the button.
        var tone = ButtonStyle.primary.rawValue
    }

    /// A field to type in.
    struct Input: Sendable {
        let field: String
        let caption: String
        var type = "text"
        var typed = ""
        var autocomplete = "off"
        var note: String?
        var isWrong = false
        /// The longest value in characters.
        var most = 254
    }
}

extension AccountContent.ItemList {
    init(_ items: [AccountContent.Item], orSaying none: String) {
        self.init(items: items, none: items.isEmpty ? none : nil)
    }
}
