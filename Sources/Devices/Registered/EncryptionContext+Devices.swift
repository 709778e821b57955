package import Kernel

extension EncryptionContext {
    package static func pushToken(of device: DeviceID) -> Self { "push-token \(device)" }
}
