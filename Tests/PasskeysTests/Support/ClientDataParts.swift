import Kernel

/// The client data that a browser makes, in parts that a test can change.
struct ClientDataParts {
    var type: String
    var challenge: [UInt8]
    var origin = "https://example.com"
    /// As JSON.
    var crossOrigin: String? = "false"
    var topOrigin: String?
    /// Members behind the others, as JSON.
    var others = ""
    /// The bytes that are sent instead of all of it.
    var raw: [UInt8]?

    var bytes: [UInt8] {
        if let raw { return raw }
        var text = #"{"type":"\#(type)","challenge":"\#(Base64URL.encode(challenge))","origin":"\#(origin)""#
        if let crossOrigin { text += #","crossOrigin":\#(crossOrigin)"# }
        if let topOrigin { text += #","topOrigin":"\#(topOrigin)""# }
        return Array((text + others + "}").utf8)
    }
}
