import Kernel

extension SettingRule where Value == String {
    /// An IP address or a block of addresses that is not every address.
    ///
    /// - Parameter listed: What the list is for, which completes "List only".
    /// - Returns: The rule.
    static func addressBlock(_ listed: String) -> Self {
        Self(expected: "an address or a block like 10.0.0.0/8") { text, _, _ throws(SettingError) in
            let block: AddressBlock
            do throws(AddressBlock.BlockError) { block = try AddressBlock(text) } catch {
                switch error {
                case .malformed: throw .refusing(text, "is not an address or a block. Write one like 10.0.0.0/8")
                case .looseBits(let meant): throw .refusing(text, "has bits after its prefix. Did you mean \(meant)?")
                }
            }
            // With every proxy trusted, any client could claim any address, and limits by address would have no effect.
            // With every endpoint allowed, any client could have this server call its operator's other servers.
            guard !block.isEverything else { throw .refusing(text, "covers every address. List only \(listed)") }
            return text
        }
    }
}
