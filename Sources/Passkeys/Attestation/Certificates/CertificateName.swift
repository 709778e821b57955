internal import SwiftASN1
internal import X509

extension DistinguishedName {
    /// Returns the text of the only attribute of that type; `nil` if it is missing, repeated or empty.
    ///
    /// Any ASN.1 type of string is accepted: vendors differ in it, and the type is not security-relevant.
    func text(_ type: ASN1ObjectIdentifier) -> String? {
        let values = flatMap { name in name.filter { $0.type == type } }
        guard values.count == 1, let text = values.first.flatMap({ String($0.value) }), !text.isEmpty else {
            return nil
        }
        return text
    }
}

extension Certificate {
    /// Whether basic constraints are present and exclude a certificate authority (WebAuthn L3 §8.2.1, §8.3.1).
    var isEndEntity: Bool { (try? extensions.basicConstraints) == .notCertificateAuthority }
}
