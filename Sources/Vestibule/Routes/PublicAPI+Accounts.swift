import Accounts
import HTTPAPI
import Kernel
import Settings
import SignIn
import Storage

/// Opening accounts, and signing in to them with a password.
extension PublicAPI {
    func registration(_ settings: Settings, _ surface: SurfaceSettings, keepsCookies: Bool) -> RegistrationAPI {
        RegistrationAPI(
            service: composition.registrations,
            opening: AccountOpening(
                registrations: composition.registrations,
                proofs: composition.mailProofs.addresses,
                door: composition.door,
                unitOfWork: composition.unitOfWork
            ),
            replies: signInReplies(settings),
            surface: accountSurface(settings, surface, keepsCookies: keepsCookies),
            gate: addressGate(settings),
            bodyLimit: settings.limits.bodyBytes
        )
    }

    func passwords(_ settings: Settings, _ surface: SurfaceSettings, keepsCookies: Bool) -> PasswordAPI {
        PasswordAPI(
            service: composition.passwords,
            signIn: PasswordSignIn(
                passwords: composition.passwords,
                door: composition.door,
                unitOfWork: composition.unitOfWork
            ),
            replies: signInReplies(settings),
            linked: composition.linkedDevices,
            surface: accountSurface(settings, surface, keepsCookies: keepsCookies),
            gate: addressGate(settings),
            bodyLimit: settings.limits.bodyBytes
        )
    }

    func passwordChange(_ settings: Settings) -> PasswordChangeAPI {
        PasswordChangeAPI(
            passwords: PasswordChange(
                passwords: composition.passwords,
                sessions: composition.sessions,
                access: composition.ending,
                descents: composition.descents,
                linked: composition.linkedDevices,
                notices: composition.ownerNotices,
                unitOfWork: composition.unitOfWork
            ),
            gate: addressGate(settings),
            bodyLimit: settings.limits.bodyBytes
        )
    }

    func emailChange(_ settings: Settings) -> EmailChangeAPI {
        EmailChangeAPI(
            proofs: composition.mailProofs.addresses,
            gate: addressGate(settings),
            coolingOff: coolingOff,
            bodyLimit: settings.limits.bodyBytes
        )
    }

    func mailLogin(_ settings: Settings, _ surface: SurfaceSettings, keepsCookies: Bool) -> MailLoginAPI {
        MailLoginAPI(
            codes: composition.mailProofs.codes,
            linked: composition.linkedDevices,
            signIn: MailedCodeSignIn(
                codes: composition.mailProofs.codes,
                proofs: composition.mailProofs.addresses,
                door: composition.door,
                unitOfWork: composition.unitOfWork
            ),
            replies: signInReplies(settings),
            surface: accountSurface(settings, surface, keepsCookies: keepsCookies),
            gate: addressGate(settings),
            passkeys: keepsCookies ? nil : walletPasskeys(settings, surface),
            bodyLimit: settings.limits.bodyBytes
        )
    }

    func addressGate(_ settings: Settings) -> AddressGate {
        AddressGate(service: composition.service, addresses: settings.clientAddresses)
    }

    func accountSurface(_ settings: Settings, _ surface: SurfaceSettings, keepsCookies: Bool) -> AccountSurface {
        AccountSurface(
            name: surface.name,
            clients: settings.clientDirectory,
            client: surface.client,
            isRegistrationOpen: surface.registration,
            keepsCookies: keepsCookies
        )
    }
}
