import Kernel

/// A device's signature about one start.
package struct DeviceKeyProof: Sendable, Equatable {
    /// The id that the client gave the device.
    package let name: String
    /// The code challenge of the start, base64url: who repeats the proof elsewhere can't collect what comes of it.
    package let codeChallenge: String
    /// Grows with every proof of the device, so that none is good twice; milliseconds since 1970 do.
    package let count: Int64
    package let signature: [UInt8]

    package init(name: String, codeChallenge: String, count: Int64, signature: [UInt8]) {
        self.name = name
        self.codeChallenge = codeChallenge
        self.count = count
        self.signature = signature
    }

    /// What the device signs, in UTF-8: lines that no other use of the key begins with.
    package func signed(client: String) -> String {
        "vestibule-login-start-v1\n\(client)\n\(name)\n\(codeChallenge)\n\(count)"
    }
}
