import HTTPAPI

extension SettingRule where Value == String {
    /// An IP address or a block of addresses that is not every address.
    static var addressBlock: Self {
        Self(expected: "an address or a block like 10.0.0.0/8") { text, _, _ throws(SettingError) in
            let block: AddressBlock
            do throws(AddressBlock.BlockError) { block = try AddressBlock(text) } catch {
                switch error {
                case .malformed: throw .refusing(text, "is not an address or a block. Write one like 10.0.0.0/8")
                case .looseBits(let meant): throw .refusing(text, "has bits after its prefix. Did you mean \(meant)?")
                }
            }
            // With every address trusted, any client could claim any address, and limits by address would have no
            // effect.
            guard !block.isEverything else { throw .refusing(text, "covers every address. List only your proxies") }
            return text
        }
    }
}
