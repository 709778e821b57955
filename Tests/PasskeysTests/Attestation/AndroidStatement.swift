import Crypto
import Foundation
import SwiftASN1
import X509

@testable import Passkeys

/// The description of a key by Android's keystore, each part of which a test can spoil.
struct AndroidStatement {
    var securityLevel = 1
    /// The hash of the client data if there is none.
    var challenge: [UInt8]?
    var software = AuthorizationList()
    var hardware = AuthorizationList(purposes: [2], origin: 0)
    var behind: [UInt8] = []
    /// What the certificate is for; the credential's key if there is none.
    var key: P256.Signing.PublicKey?
    var signedBytes: [UInt8]?
    var algorithm = CBORValue.negative(6)
    var isDescribed = true

    struct AuthorizationList {
        var purposes: [Int]?
        var origin: Int?
        var allApplications = false
        /// More fields, encoded.
        var more: [UInt8] = []
    }

    func input(_ credential: TestCredential = TestCredential()) throws -> AttestationInput {
        var recipe = CertificateRecipe.packed()
        if isDescribed {
            recipe = recipe.adding(.test(AndroidKeyDescription.identifier, try description(credential)))
        }
        let certificate = try TestAuthority()
            .issue(recipe, to: Certificate.PublicKey(key ?? credential.key.publicKey))
        return try credential.input(
            "android-key",
            [
                "alg": algorithm, "sig": try credential.key.sign(signedBytes ?? credential.signedBytes),
                "x5c": .array([.bytes(try certificate.der())]),
            ]
        )
    }

    /// KeyDescription of version 300.
    func description(_ credential: TestCredential) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(300)
            try securityLevel.serialize(into: &coder, withIdentifier: .enumerated)
            try coder.serialize(300)
            try securityLevel.serialize(into: &coder, withIdentifier: .enumerated)
            try coder.serialize(ASN1OctetString(contentBytes: (challenge ?? credential.clientDataHash)[...]))
            try coder.serialize(ASN1OctetString(contentBytes: []))
            try software.serialize(into: &coder)
            try hardware.serialize(into: &coder)
            coder.serializeRawBytes(behind)
        }
        return serializer.serializedBytes
    }
}

extension AndroidStatement.AuthorizationList {
    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            if let purposes {
                try coder.serialize(explicitlyTaggedWithTagNumber: 1, tagClass: .contextSpecific) { coder in
                    try coder.appendConstructedNode(identifier: .set) { coder in
                        for purpose in purposes { try coder.serialize(purpose) }
                    }
                }
            }
            if allApplications {
                try coder.serialize(explicitlyTaggedWithTagNumber: 600, tagClass: .contextSpecific) { coder in
                    try coder.serialize(ASN1Null())
                }
            }
            if let origin {
                try coder.serialize(explicitlyTaggedWithTagNumber: 702, tagClass: .contextSpecific) { coder in
                    try coder.serialize(origin)
                }
            }
            coder.serializeRawBytes(more)
        }
    }
}
