package import Passkeys

extension Settings {
    /// The relying parties: `rpID` and each of `customRPIDs`, with the origins that belong to each.
    ///
    /// The config was checked when it was read: entries that can't be a relying party gave a warning, and are left
    /// out.
    package var relyingParties: [RelyingParty] {
        let own = relyingParty
        let origins = own.origins.compactMap { try? Origin($0) }
        return ([own.id] + passkeys.relyingParty.customIDs).compactMap { id in
            let isOwn: (Origin) -> Bool = { origin in
                guard let host = origin.host else { return true }
                return host == id || host.hasSuffix("." + id)
            }
            return try? RelyingParty(
                id: id,
                name: own.name,
                origins: origins.filter(isOwn),
                relatedOrigins: id == own.id ? origins.filter { !isOwn($0) } : []
            )
        }
    }
}

/// The effective relying party: the written settings, and the values derived from `publicURL`.
package struct EffectiveRelyingParty: Sendable, Equatable {
    package let id: String
    package let name: String
    /// The origins that answers may come from, including apps and related origins.
    package let origins: [String]
}

extension Settings {
    /// The surfaces where passkeys can sign in.
    package static let passkeySurfaces = ["yapt", "passkeys"]

    /// Whether a surface for passkeys is enabled.
    package var servesPasskeys: Bool { Self.passkeySurfaces.contains { surfaces[$0]?.enabled == true } }

    package var relyingParty: EffectiveRelyingParty {
        let own = URLParts(publicURL)
        let written = passkeys.relyingParty.origins.isEmpty ? [own.origin] : passkeys.relyingParty.origins
        let apps = passkeys.apps.android.map(\.origin)
        var origins: [String] = []
        for origin in written + passkeys.relyingParty.relatedOrigins + apps where !origins.contains(origin) {
            origins.append(origin)
        }
        return EffectiveRelyingParty(
            id: passkeys.relyingParty.id ?? own.host,
            name: passkeys.relyingParty.name,
            origins: origins
        )
    }
}

/// The host and the origin of a URL that was checked when it was read.
private struct URLParts {
    let host: String
    let origin: String

    init(_ url: String) {
        origin = url.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
        let authority = origin.drop { $0 != "/" }.drop { $0 == "/" }
        host = authority.hasPrefix("[") ? String(authority) : String(authority.prefix { $0 != ":" })
    }
}
