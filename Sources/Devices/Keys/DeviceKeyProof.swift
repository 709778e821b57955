import Kernel

/// A device's signature for the start of one login.
package struct DeviceKeyProof: Sendable, Equatable {
    /// The id that the client gave the device.
    package let name: String
    /// The code challenge of the start, base64url: an attacker who repeats the proof can't collect the result.
    package let codeChallenge: String
    /// A number that grows with every proof of the device, so that no proof is valid twice, like milliseconds since
    /// 1970.
    package let count: Int64
    package let signature: [UInt8]

    package init(name: String, codeChallenge: String, count: Int64, signature: [UInt8]) {
        self.name = name
        self.codeChallenge = codeChallenge
        self.count = count
        self.signature = signature
    }

    /// Returns the text that the device signs, in UTF-8.
    ///
    /// No other text that the key signs begins with these lines.
    package func signed(client: String) -> String {
        "vestibule-login-start-v1\n\(client)\n\(name)\n\(codeChallenge)\n\(count)"
    }
}
