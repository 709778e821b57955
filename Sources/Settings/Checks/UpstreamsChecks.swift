import Kernel
import OAuth

extension SettingsChecks {
    /// Checks the keys of upstreams against one another, and the references to them.
    static func upstreams(_ settings: Settings, in reading: inout SettingsReading) {
        for (name, upstream) in settings.upstreams.sorted(by: { $0.key < $1.key }) {
            let key = "upstreams.\(name)"
            if upstream.lookup != nil, upstream.data == nil {
                reading.fault("\(key).data", "is missing beside lookup")
            }
            if upstream.lookup == nil, upstream.data != nil {
                reading.fault("\(key).lookup", "is missing beside data")
            }
            if let lookup = upstream.lookup { self.lookup(lookup, at: "\(key).lookup", in: &reading) }
        }
        upstreamClients(settings, in: &reading)
        sampleData(settings, in: &reading)
    }

    private static func lookup(_ lookup: LookupSettings, at key: String, in reading: inout SettingsReading) {
        let paths = [("person", lookup.person), ("status", lookup.status ?? ""), ("audience", lookup.audience ?? "")]
        for (name, path) in paths where !path.isEmpty {
            guard lookup.path(path) == nil else { continue }
            let form =
                switch lookup.answer {
                case .json: "a JSON pointer, like /person/id"
                case .xml: "a path of elements, like /Person/Id or /Person/@id"
                }
            reading.fault("\(key).\(name)", "\(SettingError.quoted(path)) is not \(form)")
        }
        if lookup.status != nil, lookup.active.isEmpty {
            reading.fault("\(key).active", "is missing beside status. Write the words that mean yes")
        }
        if lookup.status == nil, !lookup.active.isEmpty {
            reading.fault("\(key).status", "is missing beside active. Write the position of the word")
        }
    }

    private static func upstreamClients(_ settings: Settings, in reading: inout SettingsReading) {
        var takenBy: [String: String] = [:]
        for client in settings.clients {
            guard let upstream = client.upstream else { continue }
            let key = "clients.\(client.id).upstream"
            let quoted = SettingError.quoted(upstream)
            guard reading.origins["upstreams.\(upstream)"] != nil else {
                let known = settings.upstreams.keys.sorted()
                let list = known.isEmpty ? "none is configured" : known.joined(separator: ", ")
                reading.fault(key, "\(quoted) is not one of the upstreams (\(list))")
                continue
            }
            if client.oauth == nil { reading.fault(key, "needs oauth beside it, with the client's redirect URIs") }
            // At the upstream both would be one client: a refresh token of one would be valid for the other.
            if let other = takenBy[upstream] {
                reading.fault(key, "\(quoted) is already the upstream of \(other). Give each client its own upstream")
            }
            takenBy[upstream] = client.id
        }
    }

    private static func sampleData(_ settings: Settings, in reading: inout SettingsReading) {
        guard let id = settings.sampleData.client else { return }
        guard reading.origins["clients.\(id)"] != nil else {
            let known = settings.clients.map(\.id)
            let list = known.isEmpty ? "none is configured" : known.joined(separator: ", ")
            return reading.fault("sampleData.client", "\(SettingError.quoted(id)) is not one of the clients (\(list))")
        }
        let client = settings.clients.first { $0.id == id }
        if let client, client.oauth == nil {
            reading.fault("sampleData.client", "\(SettingError.quoted(id)) has no oauth, so nobody can sign in to it")
        }
        guard let name = client?.upstream, let upstream = settings.upstreams[name], upstream.data == nil
        else { return }
        reading.fault("sampleData.client", "its upstream \(SettingError.quoted(name)) has no lookup and no data")
    }
}

extension LookupSettings {
    /// Returns the path in the syntax of the answer's form, or `nil` for an invalid path.
    func path(_ text: String) -> ValuePath? {
        switch answer {
        case .json: text.isEmpty ? nil : JSONPointer(text).map { .json($0) }
        case .xml: XMLPath(text).map { .xml($0) }
        }
    }
}
