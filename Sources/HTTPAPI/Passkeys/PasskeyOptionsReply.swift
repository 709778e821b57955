import Hummingbird
import Kernel

/// Options with what names their challenge beside them, as clients in the field take them apart.
struct PasskeyOptionsReply<Options: Encodable>: Encodable {
    let options: Options
    /// `nil` where the cookie names it.
    var challengeId: String?

    private enum Key: String, CodingKey {
        case challengeId
    }

    func encode(to encoder: any Encoder) throws {
        try options.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(challengeId, forKey: .challengeId)
    }
}
