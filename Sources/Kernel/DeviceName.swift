/// A client's name for one of its devices.
///
/// It is a claim: anyone can give it who knows it.
package struct DeviceName: Sendable, Hashable {
    package let client: String
    /// The id that the client gave the device, as it came.
    package let device: String

    package init(client: String, device: String) {
        self.client = client
        self.device = device
    }
}
