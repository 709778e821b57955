import Passkeys
import Web

/// The makers of passkeys by their AAGUID, as far as they are publicly known and named here.
///
/// An authenticator states its AAGUID itself, and without an attestation nothing proves it (WebAuthn L3 §6.5.1). The
/// name only helps the owner to tell passkeys apart, and nothing depends on it.
enum PasskeyMakers {
    /// The kind of a thing that keeps passkeys, which has a pictogram.
    enum Kind: CaseIterable {
        case phone, computer, securityKey, manager
    }

    /// Returns the maker's name; `nil` for an unknown one, and for an authenticator that does not name its model.
    static func name(_ aaguid: AAGUID) -> String? { aaguid.isZero ? nil : models[aaguid.text]?.name }

    /// Returns the kind; `nil` where ``name(_:)`` is.
    static func kind(_ aaguid: AAGUID) -> Kind? { aaguid.isZero ? nil : models[aaguid.text]?.kind }

    private static let models: [String: (kind: Kind, name: String)] = {
        var models: [String: (kind: Kind, name: String)] = [:]
        for kind in Kind.allCases {
            for (aaguid, name) in names(kind) { models[aaguid] = (kind, name) }
        }
        return models
    }()

    /// Returns the names by AAGUID.
    ///
    /// They are facts that the makers publish themselves, copied one by one, so that no licence applies to them. No
    /// file and no icon of another list is part of this one.
    private static func names(_ kind: Kind) -> [String: String] {
        switch kind {
        case .phone: phones
        case .computer: computers
        case .securityKey: securityKeys
        case .manager: managers
        }
    }

    /// Apps on phones.
    private static let phones: [String: String] = [
        "de1e552d-db1d-4423-a619-566b625cdc84": "Microsoft Authenticator on Android",
        "90a3ccdf-635c-4729-a248-9b709135078f": "Microsoft Authenticator on iOS",
        "53414d53-554e-4700-0000-000000000000": "Samsung Pass",
        "8836336a-f590-0921-301d-46427531eee6": "Thales Bio Android SDK",
        "66a0ccb3-bd6a-191f-ee06-e375c50b9846": "Thales Bio iOS SDK",
        "cd69adb5-3c7a-deb9-3177-6800ea6cb72a": "Thales PIN Android SDK",
        "17290f1e-c212-34d0-1423-365d729f09d9": "Thales PIN iOS SDK",
    ]

    /// Computers and browsers on them.
    private static let computers: [String: String] = [
        "adce0002-35bc-c60a-648b-0b25f1f05503": "Chrome on Mac",
        "b5397666-4885-aa6b-cebf-e52262a439a2": "Chromium Browser",
        "771b48fd-d3d4-4f74-9232-fc157ab0507a": "Edge on Mac",
        "08987058-cadc-4b81-b6e1-30de50dcbe96": "Windows Hello",
        "6028b017-b1d4-4c02-b4b3-afcdafc96bb2": "Windows Hello",
        "9ddd1817-af5a-4672-a2b9-3e3dd95000a9": "Windows Hello",
    ]

    /// Keys to plug in or to hold close.
    private static let securityKeys: [String: String] = [
        "12ded745-4bed-47d4-abaa-e713f51d6393": "Feitian AllinOne FIDO2",
        "234cd403-35a2-4cc2-8015-77ea280c77f5": "Feitian ePass FIDO2-NFC",
        "39a5647e-1853-446c-a1f6-a79bae9f5bc7": "IDmelon",
        "0bb43545-fd2c-4185-87dd-feb0b2916ace": "Security Key by Yubico",
        "149a2021-8ef6-4133-96b8-81f8d5b7f1f5": "Security Key by Yubico",
        "47ab2fb4-66ac-4184-9ae1-86be814012d5": "Security Key by Yubico",
        "6d44ba9b-f6ec-2e49-b930-0c8fe920cb73": "Security Key by Yubico",
        "b92c3f9a-c014-4056-887f-140a2501163b": "Security Key by Yubico",
        "e77e3c64-05e3-428b-8824-0cbeb04b829d": "Security Key by Yubico",
        "f8a011f3-8c0a-4d15-8006-17111f9edc7d": "Security Key by Yubico",
        "19083c3d-8383-4b18-bc03-8f1c9ab2fd1b": "YubiKey 5",
        "20ac7a17-c814-4833-93fe-539f0d5e3389": "YubiKey 5",
        "cb69481e-8ff7-4039-93ec-0a2729a154a8": "YubiKey 5",
        "ee882879-721c-4913-9775-3dfcce97072a": "YubiKey 5",
        "ff4dac45-ede8-4ec2-aced-cf66103f4335": "YubiKey 5",
        "57f7de54-c807-4eab-b1c6-1c9be7984e92": "YubiKey 5 FIPS",
        "73bb0cd4-e502-49b8-9c6f-b59445bf720b": "YubiKey 5 FIPS",
        "79f3c8ba-9e35-484b-8f47-53a5a0f5c630": "YubiKey 5 FIPS",
        "905b4cb4-ed6f-4da9-92fc-45e0d4e9b5c7": "YubiKey 5 FIPS",
        "c1f9a0bc-1dd2-404a-b27f-8e29047a43fd": "YubiKey 5 FIPS",
        "fcc0118f-cd45-435b-8da1-9782b2da0715": "YubiKey 5 FIPS",
        "1ac71f64-468d-4fe0-bef1-0e5f2f551f18": "YubiKey 5 NFC",
        "2fc0579f-8113-47ea-b116-bb5a8db9202a": "YubiKey 5 NFC",
        "662ef48a-95e2-4aaa-a6c1-5b9c40375824": "YubiKey 5 NFC",
        "6ab56fad-881f-4a43-acb2-0be065924522": "YubiKey 5 NFC",
        "a25342c0-3cdc-4414-8e46-f4807fca511c": "YubiKey 5 NFC",
        "d7781e5d-e353-46aa-afe2-3ca49f13332a": "YubiKey 5 NFC",
        "fa2b99dc-9e39-4257-8f92-4a30d23c4118": "YubiKey 5 NFC",
        "24673149-6c86-42e7-98d9-433fb5b73296": "YubiKey 5Ci",
        "a02167b9-ae71-4ac7-9a07-06432ebb6f1c": "YubiKey 5Ci",
        "c5ef55ff-ad9a-4b9f-b580-adebafe026d0": "YubiKey 5Ci",
        "7d1351a6-e097-4852-b8bf-c9ac5c9ce4a3": "YubiKey Bio",
        "83c47309-aabb-4108-8470-8be838b573cb": "YubiKey Bio",
        "d8522d9f-575b-4866-88a9-ba99fa02f35b": "YubiKey Bio",
    ]

    /// Password managers, which sync passkeys.
    private static let managers: [String: String] = [
        "bada5566-a7aa-401f-bd96-45619a55120d": "1Password",
        "a4a2d88e-9796-4356-9164-e2a5a8bd019c": "Avast Password Manager",
        "6bb49926-160a-4306-a100-4eb39ba6ac45": "AVG Password Manager",
        "e7db2bd3-f2fe-4d71-ad78-7e7aa166cfd1": "Avira Password Manager",
        "d548826e-79b4-db40-a3d8-11116f7e8349": "Bitwarden",
        "531126d6-e717-415c-9320-3d9aa6981239": "Dashlane",
        "de503f9c-21a4-4f76-b4b7-558eb55c6f89": "Devolutions",
        "f3809540-7f14-49c1-a8b3-8f813b225541": "Enpass",
        "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4": "Google Password Manager",
        "fbfc3007-154e-4ecc-8c0b-6e020557d7bd": "iCloud Keychain",
        "dd4ec289-e01d-41c9-bb89-70fa845d4bf2": "iCloud Keychain (Managed)",
        "a10c6dd9-465e-4226-8198-c7c44b91c555": "Kaspersky Password Manager",
        "eaecdef2-1c31-5634-8639-f1cbd9c00a08": "KeePassDX",
        "fdb141b2-5d84-443e-8a35-4698c205a502": "KeePassXC",
        "0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6": "Keeper",
        "b78a0a55-6ef8-d246-a042-ba0f6d55050c": "LastPass",
        "22248c4c-7a12-46e2-9a41-44291b373a4d": "LogMeOnce",
        "d3452668-01fd-4c12-926c-83a4204853aa": "Microsoft Password Manager",
        "b84e4048-15dc-4dd0-8640-f4f60813c8af": "NordPass",
        "fa37f553-f9b6-4adb-ac53-8bbb57ebdf0d": "Norton Password Manager",
        "70617373-7761-6c6c-6669-646f32303236": "Passwall",
        "50726f74-6f6e-5061-7373-50726f746f6e": "Proton Pass",
        "d350af52-0351-4ba2-acd3-dfeeadc3f764": "pwSafe",
        "d9be9d39-e6a6-4c28-a581-32b044d986e4": "Sticky Password Manager",
        "45e3057e-b2f9-48ed-912f-9b901e153b16": "Uniqkey",
        "b35a26b2-8f6e-4697-ab1d-d44db4da28c6": "Zoho Vault",
    ]
}

extension PasskeyMakers.Kind {
    /// The words for the pictogram.
    var label: AccountKey {
        switch self {
        case .phone: .kindPhone
        case .computer: .kindComputer
        case .securityKey: .kindSecurityKey
        case .manager: .kindManager
        }
    }

    /// The lines of the pictogram, 24 wide and high, drawn for this project.
    var outline: String {
        switch self {
        case .phone: "M8 2h8a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zM11 18h2"
        case .computer: "M5 5h14a1 1 0 0 1 1 1v9H4V6a1 1 0 0 1 1-1zM2 19h20"
        case .securityKey: "M12 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM12 12h9v4M17 12v3"
        case .manager: "M7 18a4 4 0 0 1-.5-8 6 6 0 0 1 11.400 1.500A3.500 3.500 0 0 1 17.500 18z"
        }
    }
}
