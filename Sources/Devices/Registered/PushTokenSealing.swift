package import Kernel

/// Port: seals push tokens, so that whoever reads the database can send to nobody.
package protocol PushTokenSealing: Sendable {
    /// Text of up to 5600 characters that the server alone can open, and for that device alone.
    func seal(_ token: Secret, for device: DeviceID) throws -> String
}
