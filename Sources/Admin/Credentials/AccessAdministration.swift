package import Devices
package import Kernel
package import Passkeys
package import Sessions
package import SignIn

/// The administration of an account's devices, passkeys, sessions and consents, and the ending of its access.
package struct AccessAdministration: Sendable {
    let devices: OwnedDevices
    let passkeys: OwnedPasskeys
    let sessions: SessionService
    let consents: ConsentWithdrawal
    let ending: EndingService
    let unitOfWork: any UnitOfWork

    package init(
        devices: OwnedDevices,
        passkeys: OwnedPasskeys,
        sessions: SessionService,
        consents: ConsentWithdrawal,
        ending: EndingService,
        unitOfWork: any UnitOfWork
    ) {
        self.devices = devices
        self.passkeys = passkeys
        self.sessions = sessions
        self.consents = consents
        self.ending = ending
        self.unitOfWork = unitOfWork
    }
}
