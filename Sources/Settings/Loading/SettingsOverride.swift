/// One key that is set from outside the files.
struct SettingsOverride: Sendable, Equatable {
    let path: [String]
    let text: String
    let origin: ConfigOrigin

    /// Variables with the prefix `VESTIBULE_` that are not keys.
    static let reservedVariables: Set<String> = ["VESTIBULE_CONFIG", "VESTIBULE_DATA"]

    /// - Parameter option: `a.b=value`.
    /// - Returns: A fault if the option has no key or no `=`.
    static func option(_ option: String) -> Result<Self, SettingsErrors> {
        guard let equals = option.firstIndex(of: "="), equals != option.startIndex else {
            let key = String(option.prefix { $0 != "=" })
            return .failure(fault(key, "write it as KEY=VALUE"))
        }
        let key = String(option[..<equals])
        let path = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard path.allSatisfy({ !$0.isEmpty }) else {
            return .failure(fault(key, "the key contains an empty name"))
        }
        return .success(Self(path: path, text: String(option[option.index(after: equals)...]), origin: .option(key)))
    }

    private static func fault(_ key: String, _ message: String) -> SettingsErrors {
        SettingsErrors(findings: [SettingsFinding(origin: .option(key), key: key, message: message)])
    }

    /// Returns the overrides from the environment, ordered by variable.
    ///
    /// `VESTIBULE_FACELOGIN__LIFETIME` is `faceLogin.lifetime`: two underscores separate the names, and case does not
    /// count. In a name that the operator chose, one underscore also stands for a hyphen. An empty variable sets
    /// nothing.
    static func variables(_ environment: [String: String], existing tree: ConfigNode) -> [Self] {
        environment.sorted { $0.key < $1.key }.compactMap { name, text -> Self? in
            guard name.hasPrefix("VESTIBULE_"), !text.isEmpty, !reservedVariables.contains(name),
                !isServiceLink(name, text)
            else { return nil }
            let names = name.dropFirst("VESTIBULE_".count).split(separator: "__", omittingEmptySubsequences: false)
            let path = spell(names.map { $0.lowercased() }, SettingsSchema.root.infos, in: tree)
            return Self(path: path, text: text, origin: .environment(name, key: path.joined(separator: ".")))
        }
    }

    /// Whether it is one of Kubernetes' variables, and no key of the config has that name.
    static func isServiceLink(_ name: String, _ text: String) -> Bool {
        guard ServiceLinks.contains(name, text) else { return false }
        let first = name.dropFirst("VESTIBULE_".count).split(separator: "__").first?.lowercased()
        return !SettingsSchema.root.infos.contains { $0.name.lowercased() == first }
    }

    /// Returns the variable of the key that is nearest to an unknown variable.
    static func nearestVariable(to name: String) -> String? {
        let wanted = plain(name)
        let candidates = variableNames(SettingsSchema.root.infos, "VESTIBULE_")
        // A key's own name without its parents, like VESTIBULE_PORT, means the first key with that name.
        let last = "__" + name.dropFirst("VESTIBULE_".count).uppercased()
        if let whole = candidates.first(where: { $0.hasSuffix(last) }) { return whole }
        return candidates.min {
            DidYouMean.distance(wanted, plain($0)) < DidYouMean.distance(wanted, plain($1))
        }
    }

    /// The letters of a variable after the prefix `VESTIBULE_`.
    private static func plain(_ variable: String) -> [Character] {
        Array(variable.dropFirst("VESTIBULE_".count).lowercased().replacing("_", with: ""))
    }

    /// Returns the variables of all keys that have a value.
    ///
    /// `NAME` is a placeholder for a name that the operator chooses.
    private static func variableNames(_ infos: [SettingInfo], _ prefix: String) -> [String] {
        infos.flatMap { info -> [String] in
            let name = prefix + info.name.uppercased()
            switch info.children {
            case .none: return [name]
            case .keys(let keys): return variableNames(keys, name + "__")
            case .named(let keys): return variableNames(keys, name + "__NAME__")
            }
        }
    }

    /// The variables of other passkey servers, with the keys that they set here.
    ///
    /// Their `SESSION_SECRET` sets nothing: sessions are random ids, of which only hashes are stored.
    static let publishedNames = [
        "RP_ID": "rpID", "RPID": "rpID", "RPDISPLAYNAME": "rpName", "ORIGIN": "origins", "EXPECTED_ORIGIN": "origins",
    ]

    /// Returns the overrides from those variables.
    ///
    /// Variables with the prefix `VESTIBULE_` take precedence.
    ///
    /// Two that set different values are a fault.
    static func published(_ environment: [String: String], _ faults: inout [SettingsFinding]) -> [Self] {
        var overrides: [Self] = []
        for (name, key) in publishedNames.sorted(by: { $0.key < $1.key }) {
            guard let text = environment[name], !text.isEmpty else { continue }
            let path = ["passkeys", key]
            let origin = ConfigOrigin.environment(name, key: path.joined(separator: "."))
            if let other = overrides.first(where: { $0.path == path }), other.text != text {
                let message =
                    "contradicts another variable. RP_ID and RPID set the same key, as do ORIGIN and EXPECTED_ORIGIN"
                faults.append(SettingsFinding(origin: origin, key: path.joined(separator: "."), message: message))
                continue
            }
            overrides.append(Self(path: path, text: text, origin: origin))
        }
        return overrides
    }

    /// Returns the names spelled as in the schema and the files.
    ///
    /// An unknown name stays unchanged, and is reported later.
    private static func spell(_ names: [String], _ infos: [SettingInfo], in tree: ConfigNode?) -> [String] {
        guard let first = names.first else { return [] }
        guard let info = infos.first(where: { $0.name.lowercased() == first }) else { return names }
        let rest = Array(names.dropFirst())
        let below = tree?[info.name]
        switch info.children {
        case .none: return [info.name] + rest
        case .keys(let keys): return [info.name] + spell(rest, keys, in: below)
        case .named(let keys):
            guard let wanted = rest.first else { return [info.name] }
            let hyphenated = wanted.replacing("_", with: "-")
            let known = below?.entries.map(\.name).first {
                $0.lowercased() == wanted || $0.lowercased().replacing("_", with: "-") == hyphenated
            }
            return [info.name, known ?? hyphenated] + spell(Array(rest.dropFirst()), keys, in: below?[known ?? ""])
        }
    }
}
