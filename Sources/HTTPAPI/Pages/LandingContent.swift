import Web

/// The content of `pages/landing.mustache`, the one layout of the pages behind links.
struct LandingContent: Sendable {
    let title: String
    var body: String
    /// The page's code for programs, where the page refuses something.
    var refusal: String?
    /// Whether the sentence tells a progress that screen readers read out.
    var isLive = false
    var details = Details()
    var passkey: Passkey?
    var form: Form?

    /// The part between the sentence and the form.
    struct Details: Sendable {
        var code: Code?
        /// The client's own message.
        var message: String?
        var scopes: ScopeList?
        var detailList: DetailList?
    }

    /// Digits to type elsewhere, and a note on them.
    struct Code: Sendable {
        let digits: String
        let note: String
    }

    /// The button that continues with a passkey.
    struct Passkey: Sendable {
        /// The address that the passkey's answer is sent to.
        let path: String
        /// The address of the module that requests the passkey.
        let module: String
    }

    /// The form with the page's button.
    struct Form: Sendable {
        var method = "post"
        /// The address that the form is sent to; `nil` is the page's own.
        var action: String?
        let button: String
        var number: NumberField?
        var password: PasswordField?
        /// The address behind the button that denies the sign-in.
        var denialPath: String?
        /// The script that sends the form by itself.
        var script: String?
    }

    /// The field for the digits that an app shows.
    struct NumberField: Sendable {
        /// The error of the digits that were typed.
        let alert: String?
    }

    /// The field for the account's password.
    struct PasswordField: Sendable {
        let isWrong: Bool
    }

    static let template = PageTemplate<LandingContent>("landing")
}

extension LandingContent {
    /// Creates a heading and a sentence, with a form where there is a button.
    init(_ strings: PageStrings) {
        self.init(title: strings.title, body: strings.body, form: strings.button.map { Form(button: $0) })
    }
}

/// The scopes of a request in words, before the button that allows them.
struct ScopeList: Sendable {
    var lead: String?
    let sentences: [String]
    var warning: String?
}

/// Details of a request, each with its label.
struct DetailList: Sendable {
    let rows: [Row]

    struct Row: Sendable {
        let label: String
        let value: String
    }

    init(_ rows: [(label: String, value: String)]) { self.rows = rows.map { Row(label: $0.label, value: $0.value) } }
}
