internal import SwiftASN1
internal import X509

extension DistinguishedName {
    /// The text of the one attribute of that type; `nil` where there is none or more than one, and for an empty one.
    ///
    /// Of whatever kind of string: vendors differ about it, and nobody is told apart by that.
    func text(_ type: ASN1ObjectIdentifier) -> String? {
        let values = flatMap { name in name.filter { $0.type == type } }
        guard values.count == 1, let text = values.first.flatMap({ String($0.value) }), !text.isEmpty else {
            return nil
        }
        return text
    }
}

extension Certificate {
    /// Whether its basic constraints say that it is no authority: there must be some (WebAuthn L3 §8.2.1, §8.3.1).
    var isEndEntity: Bool { (try? extensions.basicConstraints) == .notCertificateAuthority }
}
