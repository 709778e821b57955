import Web

/// The content of `pages/landing.mustache`, the common layout of the pages behind links.
struct LandingContent: Sendable {
    let title: String
    var body: String
    /// The error code for programs, if the page refuses a request.
    var refusal: String?
    /// Whether the sentence reports progress that screen readers read out.
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

    /// Digits to type on another device, and a note about them.
    struct Code: Sendable {
        let digits: String
        let note: String
    }

    /// The button that continues with a passkey.
    struct Passkey: Sendable {
        /// The address to which the passkey's answer is sent.
        let path: String
        /// The address of the module that requests the passkey.
        let module: String
    }

    /// The form with the page's button.
    struct Form: Sendable {
        var method = "post"
        /// The address to which the form is sent; `nil` is the page's own.
        var action: String?
        let button: String
        var number: NumberField?
        var password: PasswordField?
        /// The address for "I did not start this".
        var denialPath: String?
        /// The script that submits the form without a click.
        var script: String?
    }

    /// The field for the digits that an app shows.
    struct NumberField: Sendable {
        /// The error message about the digits that were typed.
        let alert: String?
    }

    /// The field for the account's password.
    struct PasswordField: Sendable {
        let isWrong: Bool
    }

    static let template = PageTemplate<LandingContent>("landing")
}

extension LandingContent {
    /// Creates a heading and a sentence, and a form if the texts have a button.
    init(_ strings: PageStrings) {
        self.init(title: strings.title, body: strings.body, form: strings.button.map { Form(button: $0) })
    }
}

/// The sentences about a request's scopes, before the button that allows them.
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
