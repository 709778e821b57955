import Web

/// The sentence that a new passkey counts only after a day, which `pages/partials/passkey-wait.mustache` shows.
///
/// It stands before the button that adds a passkey, on every page that has one.
struct PasskeyWait: Sendable {
    let sentence: String
    /// Whether only a script shows the sentence, on a page that is the same for everybody.
    var isHidden = false

    init(_ sentence: String, isHidden: Bool = false) {
        self.sentence = sentence
        self.isHidden = isHidden
    }

    /// Returns the sentence for a person whose new passkey waits; `nil` if it counts at once.
    static func of(waits: Bool, in texts: LocalizedStrings) -> PasskeyWait? {
        waits ? PasskeyWait(texts[AccountKey.passkeysWaitLead]) : nil
    }
}
