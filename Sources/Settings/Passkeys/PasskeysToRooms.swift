package import Passkeys

extension PasskeySettings.Attestation {
    package var conveyance: AttestationConveyance {
        switch self {
        case .none: .none
        case .indirect: .indirect
        case .direct: .direct
        case .enterprise: .enterprise
        }
    }
}

extension PasskeySettings {
    /// The attestation formats that are verified, each as strictly as the config says.
    package var formats: [any AttestationFormat] {
        let keys: AndroidKeyFormat.Keys =
            switch androidKeys {
            case .hardware: .hardware
            case .any: .any
            }
        let signatures: TPMFormat.Signatures =
            switch tpmSignatures {
            case .sha2: .sha2
            case .sha1: .sha1
            }
        return AttestationFormats.formats(androidKeys: keys, tpmSignatures: signatures)
    }
}

extension PasskeySettings.Counter {
    package var policy: CounterPolicy {
        switch self {
        case .refuse: .refuse
        case .flag: .flag
        }
    }
}

extension Settings {
    /// Whose passkeys there are: `rpID`, and each of `customRPIDs`, with those of the origins that go with it.
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
