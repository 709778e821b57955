import Accounts
import Devices
import Kernel
import Sessions
import StoreContract

/// Accounts, links and sessions to test with: each number gives one of its own, always the same.
enum Sample {
    static let now = OperationSample.start

    static func accountID(_ number: UInt64) -> AccountID { AccountID(UUIDBits(high: 0xA, low: number)) }
    static func deviceID(_ number: UInt64) -> DeviceID { DeviceID(UUIDBits(high: 0xD, low: number)) }
    static func sessionID(_ number: UInt64) -> SessionID { SessionID(UUIDBits(high: 0x5, low: number)) }

    static func account(
        _ number: UInt64 = 1,
        state: Account.State = .active,
        attributes: [String: String] = [:],
        emails: [String]? = nil,
        enrolments: [Enrolment]? = nil,
        createdAt: Instant = now
    ) -> AccountRecord {
        AccountRecord(
            account: Account(
                id: accountID(number),
                displayName: "Person \(number)",
                state: state,
                attributes: AccountAttributes(attributes),
                createdAt: createdAt
            ),
            emails: (emails ?? ["person\(number)@example.com"]).compactMap(EmailAddress.init)
                .map { VerifiedEmail(address: $0, isVerified: true) },
            enrolments: enrolments ?? [Enrolment(provider: "mock", reference: "enrolment-\(number)", isActive: true)],
            passwordHash: nil
        )
    }

    static func link(
        _ cookie: UInt64 = 1,
        account: UInt64 = 1,
        client: String = "app",
        device: UInt64 = 1,
        expiresAt: Instant = now + .seconds(1000),
        revokedAt: Instant? = nil
    ) -> DeviceLink {
        DeviceLink(
            device: deviceID(device),
            account: accountID(account),
            client: client,
            cookie: OperationSample.digest("device cookie", cookie),
            methods: ["hwk", "user"],
            lastSeenAt: now,
            validity: DeviceValidity(createdAt: now, expiresAt: expiresAt, revokedAt: revokedAt)
        )
    }

    static func session(_ number: UInt64 = 1, account: UInt64 = 1, device: UInt64? = nil) -> Session {
        Session(
            id: sessionID(number),
            account: accountID(account),
            client: "app",
            linkedDevice: device.map { Session.LinkedDevice(id: deviceID($0), isProven: true) },
            createdAt: now,
            authentication: Session.Authentication(at: now - .milliseconds(996), methods: ["face", "otp"])
        )
    }

    static func refreshToken(_ number: UInt64 = 1, session: UInt64 = 1) -> RefreshToken {
        RefreshToken(
            key: OperationSample.digest("jti", number),
            session: sessionID(session),
            lineage: RefreshToken.Lineage(family: OperationSample.digest("jti", number), parent: nil, child: nil),
            issuedAt: now,
            expiresAt: now + .seconds(1000),
            firstUsedAt: nil
        )
    }
}
