import Kernel
import Outbound

extension SettingsChecks {
    static func mail(_ settings: Settings, in reading: inout SettingsReading) {
        let mail = settings.mail
        guard let smtp = mail.smtp else {
            guard settings.mode == .production, reading.origins["mail.outbox"] == nil else { return }
            return reading.warn("mail", "has no smtp, so mail is only written to \(mail.outbox)")
        }
        if mail.from == MailSettings.nobody {
            let isWritten = reading.origins["mail.from"] != nil
            reading.fault(
                "mail.from",
                (isWritten
                    ? "still has the laptop's address, \(SettingError.quoted(mail.from.text))" : "is missing")
                    + ". Write the sender of the mail, like Example <no-reply@example.com>"
            )
        }
        let hasUser = reading.origins["mail.smtp.username"] != nil
        let hasPassword = reading.origins["mail.smtp.password"] != nil
        if hasUser != hasPassword {
            let (missing, other) = hasUser ? ("password", "username") : ("username", "password")
            reading.fault("mail.smtp.\(missing)", "is missing beside \(other)")
        }
        if smtp.connectTimeout > smtp.timeout {
            reading.fault("mail.smtp.connectTimeout", "is longer than timeout (\(DurationText.format(smtp.timeout)))")
        }
        guard let file = smtp.caFile else { return }
        do throws(SettingError) {
            guard try !reading.context.files.text(of: file).text.contains("-----BEGIN CERTIFICATE-----") else { return }
            reading.fault("mail.smtp.caFile", "\(file) has no certificate (PEM)")
        } catch {
            reading.fault("mail.smtp.caFile", error.message)
        }
    }
}
