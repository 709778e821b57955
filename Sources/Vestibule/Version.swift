/// The version that `vestibule version` and `/version` say.
enum Version {
    static let number = "0.1.0"
}
