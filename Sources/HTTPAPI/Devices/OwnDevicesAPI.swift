import Devices
import Hummingbird
import Kernel

/// Lets owners list, rename and revoke their devices, and set the devices' push tokens.
struct OwnDevicesAPI: Sendable {
    let devices: OwnedDevices
    let body: JSONBody

    var routes: [Route] {
        [
            Route(.get, "/api/mobile/devices", access: .session(.wallet), use: list),
            Route(.patch, "/api/mobile/devices/{id}", access: .session(.wallet), use: rename),
            Route(.delete, "/api/mobile/devices/{id}", access: .session(.wallet), use: revoke),
            Route(.post, "/api/mobile/device/push-token", access: .session(.wallet), use: keepPushToken),
            Route(.delete, "/api/mobile/device/push-token/{deviceId}", access: .session(.wallet), use: dropPushToken),
        ]
    }

    /// `GET /api/mobile/devices`: lists the newest first.
    private func list(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let listed = try await devices.list(of: who.account, client: who.client)
        return JSONReply.encode(OwnedDevicesResponse(devices: listed.map { OwnedDeviceView($0, seenFrom: who.device) }))
    }

    /// `PATCH /api/mobile/devices/{id}`.
    private func rename(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let label = try DeviceInput.label(try await body.decode(RenameDeviceRequest.self, from: request).deviceName)
        guard
            try await devices.rename(
                try context.id(else: .deviceNotFound),
                of: who.account,
                client: who.client,
                to: label
            )
        else {
            throw APIError.deviceNotFound
        }
        return JSONReply.encode(ChangedResponse(message: "Device renamed"))
    }

    /// `DELETE /api/mobile/devices/{id}`: ends all sessions on that device, including the request's own.
    private func revoke(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        guard try await devices.revoke(try context.id(else: .deviceNotFound), of: who.account, client: who.client)
        else {
            throw APIError.deviceNotFound
        }
        return JSONReply.encode(ChangedResponse(message: "Device signed out and forgotten"))
    }

    /// `POST /api/mobile/device/push-token`.
    private func keepPushToken(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let input = try await body.decode(PushTokenRequest.self, from: request)
        let name = try DeviceInput.id(input.deviceId)
        let token = try DeviceInput.pushToken(input.pushToken)
        guard try await devices.keep(token, of: name, who.account, client: who.client, from: who.session) else {
            throw APIError.deviceNotFound
        }
        return JSONReply.encode(ChangedResponse(message: "Push token kept"))
    }

    /// `DELETE /api/mobile/device/push-token/{deviceId}`: succeeds even if there is no push token.
    private func dropPushToken(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let name = try DeviceInput.id(context.parameters.get("deviceId") ?? "")
        guard try await devices.dropPushToken(of: name, who.account, client: who.client) else {
            throw APIError.deviceNotFound
        }
        return JSONReply.encode(ChangedResponse(message: "Push token forgotten"))
    }
}

extension OwnedDeviceView {
    init(_ listed: ListedDevice, seenFrom current: DeviceID?) {
        let device = listed.device
        self.init(
            id: device.id.description,
            deviceId: device.name.device,
            deviceName: device.label,
            platform: device.platform?.rawValue,
            registeredAt: device.validity.createdAt.internetDate,
            expiresAt: device.validity.expiresAt.internetDate,
            current: device.id == current,
            hasPushToken: listed.hasPushToken
        )
        lastUsedAt = listed.lastUsedAt?.internetDate
        biometric = listed.key.map { DeviceKeyView($0) }
    }
}

extension DeviceKeyView {
    init(_ record: DeviceKeyRecord) {
        self.init(
            biometricId: record.key.thumbprint,
            biometricType: record.biometric?.rawValue,
            enabledAt: record.createdAt.internetDate,
            uses: record.uses,
            cloneSigns: record.cloneSigns
        )
        lastUsedAt = record.lastUsedAt?.internetDate
    }
}
