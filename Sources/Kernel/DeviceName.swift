/// A client's name for one of its devices.
///
/// The name proves nothing: anyone who knows it can send it.
package struct DeviceName: Sendable, Hashable {
    package let client: String
    /// The id that the client gave the device, unchanged.
    package let device: String

    package init(client: String, device: String) {
        self.client = client
        self.device = device
    }
}
