/// The data that a TPM signs about one of its keys: TPMS_ATTEST (TPM 2.0 Library, part 2 §10.12.8) with
/// TPMS_CERTIFY_INFO (§10.12.3).
///
/// The signer, the clock and the firmware version are ignored, as WebAuthn L3 §8.3 says.
struct TPMAttestedName: Equatable {
    /// `TPM_GENERATED_VALUE`: a TPM signs no outside data that begins with this number.
    static let generated: UInt32 = 0xFF54_4347
    /// `TPM_ST_ATTEST_CERTIFY`.
    static let certify: UInt16 = 0x8017

    let magic: UInt32
    let type: UInt16
    let extraData: [UInt8]
    /// The name of the certified key; `nil` if the rest is not a TPMS_CERTIFY_INFO.
    let name: [UInt8]?

    /// Reads the structure; `nil` for any other bytes.
    init?(_ bytes: [UInt8]) {
        var reader = TPMReader(bytes)
        guard let magic = reader.uint32(), let type = reader.uint16(),
            reader.sized() != nil,  // qualifiedSigner
            let extraData = reader.sized(),
            reader.bytes(17) != nil,  // clockInfo
            reader.bytes(8) != nil  // firmwareVersion
        else { return nil }
        self.magic = magic
        self.type = type
        self.extraData = extraData
        name = Self.certifiedName(&reader)
    }

    /// Reads the name; `nil` unless exactly the qualified name follows.
    private static func certifiedName(_ reader: inout TPMReader) -> [UInt8]? {
        guard let name = reader.sized(), reader.sized() != nil, reader.isAtEnd else { return nil }
        return name
    }
}
