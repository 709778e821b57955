import HTTPAPI

extension SettingRule where Value == String {
    /// An IP address, or a block of them, that leaves somebody out.
    static var addressBlock: Self {
        Self(expected: "an address or a block like 10.0.0.0/8") { text, _, _ throws(SettingError) in
            let block: AddressBlock
            do throws(AddressBlock.BlockError) { block = try AddressBlock(text) } catch {
                switch error {
                case .malformed: throw .refusing(text, "is not an address or a block. Write one like 10.0.0.0/8")
                case .looseBits(let meant): throw .refusing(text, "has bits after its prefix. Did you mean \(meant)?")
                }
            }
            // Then everybody could say where he comes from, and no limit by address would be one.
            guard !block.isEverything else { throw .refusing(text, "covers every address. List only your proxies") }
            return text
        }
    }
}
