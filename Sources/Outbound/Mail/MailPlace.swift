/// The network address of a request as a mail shows it.
enum MailPlace {
    /// Returns an empty text for this machine's own address, which tells nothing.
    ///
    /// Only the characters of addresses are kept, and no run of more than four digits: only a code may have six.
    static func text(_ address: String) -> String {
        guard !address.hasPrefix("127."), address != "::1", address.utf8.count <= 45 else { return "" }
        let isAddress = address.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "."),
                UInt8(ascii: ":"):
                true
            default: false
            }
        }
        let longest = address.split { !$0.isNumber }.map(\.utf8.count).max() ?? 0
        return isAddress && longest <= 4 ? address : ""
    }
}
