import Accounts
import Devices
import Kernel
import Operations
import TokenReading
import Tokens

extension AdminReply.AccountView {
    init(_ record: AccountRecord) {
        self.init(
            id: record.account.id.description,
            name: record.account.displayName,
            state: record.account.state.rawValue,
            emails: record.emails.map(\.address.text) + [record.claim?.text].compactMap(\.self),
            verifiedEmails: record.emails.filter(\.isVerified).map(\.address.text),
            username: record.username?.shown,
            attributes: record.account.attributes.given,
            enrolments: record.enrolments.filter(\.isActive).map { "\($0.provider):\($0.reference)" },
            hasPassword: record.passwordHash != nil,
            createdAt: record.account.createdAt.milliseconds
        )
    }
}

extension AdminReply.OperationView {
    init(_ operation: Operation) {
        var failure: String?
        if case .failed(let code, _) = operation.state { failure = code.rawValue }
        self.init(
            row: operation.id.description,
            account: operation.account?.description,
            client: operation.policy.clientID,
            provider: operation.provider.text,
            state: operation.state.name.rawValue,
            failure: failure,
            session: operation.session?.description,
            seq: operation.seq,
            createdAt: operation.createdAt.milliseconds,
            deadline: operation.deadline.milliseconds,
            endedAt: operation.state.endedAt?.milliseconds
        )
    }
}

extension AdminReply.ProgressView {
    init(_ progress: OperationProgress) {
        self.init(
            waitsFor: progress.waitsFor?.rawValue,
            circuit: progress.circuit?.rawValue,
            providerHealthy: progress.isProviderHealthy,
            nextLook: progress.nextLook.map { $0.wholeNanoseconds / 1_000_000 },
            lastExchange: progress.lastExchange.map {
                .init(
                    provider: $0.provider.text,
                    outcome: $0.outcome.rawValue,
                    detail: $0.detail,
                    at: $0.at.milliseconds
                )
            }
        )
    }
}

extension AdminReply.DeviceView {
    init(_ listed: ListedDevice) {
        let device = listed.device
        self.init(
            id: device.id.description,
            client: device.client,
            deviceId: device.name,
            name: device.label,
            platform: device.platform?.rawValue,
            hasKey: device.key != nil,
            cloneSigns: listed.key?.cloneSigns ?? 0,
            createdAt: device.createdAt.milliseconds,
            expiresAt: device.expiresAt.milliseconds,
            lastUsedAt: listed.lastUsedAt?.milliseconds
        )
    }
}

extension AdminReply.KeyView {
    init(_ key: KeySummary) {
        self.init(
            kid: key.id.text,
            algorithm: key.algorithm.rawValue,
            state: key.state.rawValue,
            createdAt: key.createdAt.milliseconds,
            since: key.since.milliseconds,
            verifiesUntil: key.verifiesUntil?.milliseconds,
            use: key.use.rawValue
        )
    }
}
