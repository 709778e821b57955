/// The attestation object of a registration (WebAuthn L3 §6.5.4): the authenticator data, and a statement about its
/// origin.
///
/// The maps of the object and its statement may have their keys in any order, each once. The maps in the authenticator
/// data must be canonical: those bytes are signed, stored and compared.
package struct AttestationObject: Sendable, Equatable {
    package let authenticatorData: AuthenticatorData
    package let statement: AttestationStatement

    package init(_ bytes: [UInt8]) throws(AttestationObjectError) {
        let value: CBORValue
        do throws(CBORError) { value = try CBORReader.read(bytes, keys: .any) } catch { throw .notCBOR(error) }
        guard let map = value.mapping, map.count == 3, let format = map["fmt"]?.textString,
            let members = map["attStmt"]?.mapping, let data = map["authData"]?.byteString
        else { throw .malformed }
        statement = AttestationStatement(format: format, members: members)
        do throws(AuthenticatorDataError) {
            authenticatorData = try AuthenticatorData(data)
        } catch { throw .authenticatorData(error) }
    }
}

/// An attestation statement: `fmt` and `attStmt`.
package struct AttestationStatement: Sendable, Equatable {
    /// The registered identifier (WebAuthn L3 §8.1), case-sensitive.
    package let format: String
    package let members: CBORMap
}

/// The reason why bytes are not an attestation object.
package enum AttestationObjectError: Error, Sendable, Equatable {
    case notCBOR(CBORError)
    /// The members are not exactly `fmt`, `attStmt` and `authData` with their types.
    case malformed
    case authenticatorData(AuthenticatorDataError)

    /// A stable code for programs.
    package var code: String {
        switch self {
        case .notCBOR(let fault): fault.rawValue
        case .malformed: "attestation_object_malformed"
        case .authenticatorData(let fault): fault.code
        }
    }
}
