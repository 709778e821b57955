package import Kernel

extension EncryptionContext {
    package static func recipient(of mail: MailID) -> Self { "mail/\(mail)/recipient" }
    package static func message(of mail: MailID) -> Self { "mail/\(mail)/message" }
}
