/// What stands in the page of devices beside the words of the other pages: in its markup `{{device.NAME}}`.
///
/// `%` stands for the name of the client, or for an address.
enum DeviceWord: String, Sendable, CaseIterable {
    // Before the code
    case signInTitle, signInLead, signInGoOn
    case askTitle, askLead, code, codeHint, codeWrong
    // The question; what it warns of is said before the code as well
    case questionTitle, compare, warning, fraud, sameNetwork, otherNetwork
    // What came of it
    case allowedTitle, allowedLead, deniedTitle, deniedLead
    // Where somebody has tried codes for too long
    case triesTitle, triesLead
}

extension Texts {
    /// The words of the page of devices.
    var device: [DeviceWord: String] { Self.deviceWords[language] ?? Self.englishDevice }

    private static let deviceWords: [String: [DeviceWord: String]] = [
        "en": englishDevice, "fr": frenchDevice, "es": spanishDevice, "sv": swedishDevice,
    ]
}
