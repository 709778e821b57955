import FaceProviders

extension SettingsChecks {
    /// A call's timeout must not be shorter than that of one request: the call would always be cut off.
    static func guards(_ settings: Settings, in reading: inout SettingsReading) {
        for (name, provider) in settings.providers.sorted(by: { $0.key < $1.key }) {
            guard let whole = provider.callTimeout, whole < provider.calls.requestTimeout else {
                continue
            }
            let request = DurationText.format(provider.calls.requestTimeout)
            reading.fault("providers.\(name).guard.callTimeout", "is shorter than requestTimeout (\(request))")
        }
    }
}
