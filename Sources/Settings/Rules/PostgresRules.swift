import Kernel
import Storage

extension SettingRule where Value == Secret {
    /// The URL of a PostgreSQL database, which is shown: one with a password is refused.
    ///
    /// No message repeats it, because it may contain a password.
    static var postgresURL: Self {
        Self(expected: "a URL like postgres://vestibule@db.example.com/vestibule") { text, _, _ throws(SettingError) in
            do throws(PostgresAddressError) { _ = try PostgresAddress(parsing: text) } catch {
                throw SettingError(message: error.message)
            }
            return Secret(text)
        } show: {
            .text($0.expose())
        }
    }
}
