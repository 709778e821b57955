import Crypto
import Foundation
import Kernel
import Passkeys
import SoftwareAuthenticator

/// A ceremony of a browser with a software authenticator: what the server gave out, and what it was answered.
struct Sample: Sendable {
    /// So many of each kind take turns, so that none is as if learned by heart.
    static let count = 64
    static let rpID = "login.example.com"
    static let origin = "https://login.example.com"

    let challenge: [UInt8]
    let userHandle: [UInt8]
    let credentialID: CredentialID
    /// As the row of the passkey has it.
    let coseKey: [UInt8]
    /// The answer in JSON.
    let body: [UInt8]

    static func relyingParty() throws -> RelyingParty {
        try RelyingParty(id: rpID, name: "Example", origins: [try Origin(origin)])
    }

    /// A sign-in; a `wrong` one has a signature over something else.
    static func signIn(_ signer: Signer, wrong: Bool = false) throws -> Sample {
        let (challenge, handle) = (random(32), random(32))
        let options = #"{"rpId":"\#(rpID)","challenge":"\#(Base64URL.encode(challenge))"}"#
        let credential = SoftwareAuthenticator.Credential(
            id: random(32),
            key: P256.Signing.PrivateKey(),
            rpID: rpID,
            userHandle: handle
        )
        let authenticator = SoftwareAuthenticator(origin: origin)
        let body = try authenticator.get(options, with: credential) { try signer.sign(wrong ? $0 + [0] : $0) }
        return Sample(
            challenge: challenge,
            userHandle: handle,
            credentialID: CredentialID(credential.id),
            coseKey: signer.coseKey,
            body: Array(body.utf8)
        )
    }

    /// A registration, with what that authenticator proves its model with.
    static func registration(_ authenticator: SoftwareAuthenticator) throws -> Sample {
        let (challenge, handle) = (random(32), random(32))
        let user = #"{"id":"\#(Base64URL.encode(handle))","name":"ada","displayName":"Ada"}"#
        let options =
            #"{"rp":{"id":"\#(rpID)"},"user":\#(user),"challenge":"\#(Base64URL.encode(challenge))"}"#
        let (credential, body) = try authenticator.create(options)
        return Sample(
            challenge: challenge,
            userHandle: handle,
            credentialID: CredentialID(credential.id),
            coseKey: credential.coseKey,
            body: Array(body.utf8)
        )
    }

    /// The same answer to another challenge.
    func answering(_ challenge: [UInt8]) -> Sample {
        Sample(challenge: challenge, userHandle: userHandle, credentialID: credentialID, coseKey: coseKey, body: body)
    }

    private static func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255) } }
}
