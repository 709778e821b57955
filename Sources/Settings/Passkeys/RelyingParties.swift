package import Passkeys

extension Settings {
    /// The relying parties: `rpID` and each of `customRPIDs`, with the origins that belong to each.
    ///
    /// The config was checked when it was read; what can be no relying party there was warned about, and is none.
    package var relyingParties: [RelyingParty] {
        let own = relyingParty
        let origins = own.origins.compactMap { try? Origin($0) }
        return ([own.id] + passkeys.customRPIDs).compactMap { id in
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
