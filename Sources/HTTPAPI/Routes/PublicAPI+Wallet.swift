/// The wallet app: its devices, and its banks, cards and payments.
extension PublicAPI {
    /// The routes by which the app manages its device and signs in with it.
    func devices(_ surface: SurfaceConfiguration) -> [Route] {
        let (devices, accounts) = (services.devices, accountSurface(surface, keepsCookies: false))
        let registration = DeviceRegistrationAPI(
            registrar: devices.registrar,
            surface: accounts,
            limits: limits.devices,
            addresses: server.addresses,
            body: server.body
        )
        let own = OwnDevicesAPI(devices: devices.owned, body: server.body)
        let biometric = BiometricAPI(
            keys: devices.keys,
            surface: accounts,
            signIn: devices.signIn,
            replies: signInReplies,
            coolingOff: coolingOff,
            limits: limits.devices,
            addresses: server.addresses,
            body: server.body
        )
        return registration.routes + own.routes + biometric.routes
    }

    func wallet(_ surface: SurfaceConfiguration) -> [Route] {
        let (wallet, banks) = (services.wallet, configuration.wallet.banks)
        let summary = WalletAPI(
            accounts: services.accounts.accounts,
            cards: wallet.cards,
            keys: services.devices.keys
        )
        let own = CardsAPI(cards: wallet.cards, banks: wallet.banks, config: banks, limits: limits.banks)
        let enrollment = BankEnrollmentAPI(
            service: wallet.banks,
            accounts: services.accounts.accounts,
            wallet: configuration.wallet,
            browser: browserProof,
            server: server,
            environment: environment,
            limits: limits.banks,
            pages: EnrollmentPages(deepLinks: configuration.wallet.deepLinks, root: server.root)
        )
        return summary.routes + own.routes + enrollment.routes + payments(surface).routes
    }

    private func payments(_ surface: SurfaceConfiguration) -> PaymentAPI {
        let payments = services.wallet.payments
        return PaymentAPI(
            service: payments,
            confirming: PaymentConfirming(
                service: payments,
                keys: services.devices.keys,
                passkeys: configuration.passkeys.isServed ? PaymentPasskeys(ceremonies: ceremonies(surface)) : nil,
                approvals: approvalStarter,
                verifier: verifier,
                environment: environment,
                limits: limits.devices,
                addresses: server.addresses
            ),
            reply: PaymentReply(
                service: payments,
                issuer: issuer,
                clients: configuration.clients.directory,
                environment: environment
            ),
            limits: limits.devices,
            addresses: server.addresses,
            body: server.body
        )
    }
}
