import Accounts
import HTTPAPI
import Kernel
import Storage

/// Opening accounts, and signing in to them with a password.
extension PublicAPI {
    func registration(
        _ settings: Settings,
        _ surface: SurfaceSettings,
        keepsCookies: Bool
    ) -> RegistrationAPI {
        RegistrationAPI(
            desk: composition.registrations,
            opener: sessionOpener(settings),
            proofs: composition.mailProofs.addresses,
            clients: settings.clientDirectory,
            surface: accountSurface(surface, keepsCookies),
            unitOfWork: composition.unitOfWork,
            gate: addressGate(settings),
            bodyLimit: settings.limits.bodyBytes
        )
    }

    func passwords(_ settings: Settings, _ surface: SurfaceSettings, keepsCookies: Bool) -> PasswordAPI {
        PasswordAPI(
            desk: composition.passwords,
            opener: sessionOpener(settings),
            linked: composition.linkedDevices,
            clients: settings.clientDirectory,
            surface: accountSurface(surface, keepsCookies),
            unitOfWork: composition.unitOfWork,
            gate: addressGate(settings),
            bodyLimit: settings.limits.bodyBytes
        )
    }

    func passwordChange(_ settings: Settings) -> PasswordChangeAPI {
        PasswordChangeAPI(
            desk: composition.passwords,
            sessions: composition.sessions,
            notices: composition.ownerNotices,
            unitOfWork: composition.unitOfWork,
            gate: addressGate(settings),
            bodyLimit: settings.limits.bodyBytes
        )
    }

    func addressGate(_ settings: Settings) -> AddressGate {
        AddressGate(desk: composition.desk, addresses: settings.clientAddresses)
    }

    private func accountSurface(_ surface: SurfaceSettings, _ keepsCookies: Bool) -> AccountSurface {
        AccountSurface(
            client: surface.client,
            isRegistrationOpen: surface.registration,
            keepsCookies: keepsCookies
        )
    }
}
