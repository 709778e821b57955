/// An account as a client created it.
///
/// AccountNumber is the client's own key.
package struct Account: Equatable, Sendable {
    package var number: String
    package var displayName: String
    package var email: String
    package var description: String?
    package var phoneNumber: String?
    package var isEnabled: Bool
    package var isCustom: Bool
    package var rules: Int
    package var version: Int

    package init(
        number: String,
        displayName: String = "",
        email: String = "",
        description: String? = nil,
        phoneNumber: String? = nil,
        isEnabled: Bool = true,
        isCustom: Bool = true,
        rules: Int = 1,
        version: Int = 0
    ) {
        self.number = number
        self.displayName = displayName
        self.email = email
        self.description = description
        self.phoneNumber = phoneNumber
        self.isEnabled = isEnabled
        self.isCustom = isCustom
        self.rules = rules
        self.version = version
    }

    /// The person's name on the page.
    package var shownName: String {
        if !displayName.isEmpty { return displayName }
        return email.isEmpty ? number : email
    }
}
