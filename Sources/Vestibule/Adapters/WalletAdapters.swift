import Kernel
import Tokens
import Wallet

/// Seals banks' tokens with the house's keys; the key's name stands before what it sealed.
struct WalletSealAdapter: WalletSealing {
    let sealer: Sealer

    func seal(_ secret: Secret, as context: String) throws -> String {
        let sealed = try sealer.seal(Array(secret.expose().utf8), as: Self.whole(context))
        return "\(sealer.currentKey).\(Base64URL.encode(sealed))"
    }

    func open(_ sealed: String, as context: String) -> Secret? {
        let parts = sealed.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let bytes = Base64URL.decode(parts[1]),
            let opened = sealer.open(bytes, key: String(parts[0]), as: Self.whole(context)),
            let text = String(validating: opened, as: UTF8.self)
        else { return nil }
        return Secret(text)
    }

    /// Other rooms seal with the same keys: nothing of theirs opens here.
    static func whole(_ context: String) -> String { "wallet \(context)" }
}

/// The engine asks the same about sessions.
extension StandingSessionsAdapter: WalletSessions {}
