import SignIn
import Web

/// The sentences that say, before the press, what a remedy ends.
///
/// They are read from the remedy's own reach, so that a page never promises something else.
enum EndedThings {
    /// Returns a sentence for each kind of things that the remedy ends, but not for what the page itself names.
    static func sentences(_ remedy: Remedy, in texts: LocalizedStrings) -> [String] {
        groups.filter { group in group.outcomes.contains { ![.none, .itself].contains(remedy.reach($0)) } }
            .map { group in
                let isByPassword = group.key == .endsFaces && remedy.reach(.face) == .byPassword
                return texts[isByPassword ? AccountKey.endsFacesByPassword : group.key]
            }
    }

    private static let groups: [(key: AccountKey, outcomes: [Outcome])] = [
        (.endsSessions, [.session, .webSession]),
        (.endsApps, [.grant, .code, .deviceCode, .interaction]),
        (.endsOperations, [.operation]),
        (.endsConsents, [.consent]),
        (.endsPasskeys, [.passkey]),
        (.endsDevices, [.deviceKey, .deviceCredential, .pushToken]),
        (.endsFaces, [.face]),
        (.endsPassword, [.password]),
        (.endsMailedCodes, [.mailedCode]),
        (.endsCards, [.card]),
    ]
}
