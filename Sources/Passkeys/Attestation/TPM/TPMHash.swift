internal import Crypto

/// The hashes that are accepted in a TPM's names (TPM_ALG_ID, part 2 §6.3): those with second-preimage resistance.
enum TPMHash: UInt16 {
    case sha256 = 0x000B
    case sha384 = 0x000C
    case sha512 = 0x000D

    func digest(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha384: Array(SHA384.hash(data: bytes))
        case .sha512: Array(SHA512.hash(data: bytes))
        }
    }
}
