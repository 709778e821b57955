import Kernel

/// The secret of a page link, in padded base64 (RFC 4648 §4).
///
/// It always holds `+`, `/` and `=`: a client that forgets to percent-encode it fails at once and not every other time.
enum OneTimeSecret {
    /// Makes one of 32 random bytes; 246 of their 256 bits are in it.
    static func make(_ random: [UInt8]) -> Secret {
        var characters = Base64URL.encode(random).map { character in
            switch character {
            case "-": Character("+")
            case "_": Character("/")
            default: character
            }
        }
        for (position, character) in [(7, Character("+")), (15, Character("/"))] where position < characters.count {
            characters[position] = character
        }
        return Secret(String(characters) + "=")
    }
}
