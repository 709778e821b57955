/// `{"target", "fault", "count"?, "rate"?, "ms"?, "seed"?}`, in JSON and in YAML.
extension FaultRule: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case target, fault, count, rate, ms, seed }

    package init(from decoder: any Decoder) throws {
        let map = try decoder.strictContainer(CodingKeys.self)
        self.init(
            target: try map.named(FaultTarget.self, .target),
            kind: try map.named(FaultKind.self, .fault),
            count: try map.decodeIfPresent(Int.self, forKey: .count),
            rate: try map.decodeIfPresent(Double.self, forKey: .rate) ?? 1,
            duration: try map.milliseconds(.ms),
            seed: try map.decodeIfPresent(UInt64.self, forKey: .seed)
        )
        func refuse(_ key: CodingKeys, _ text: String) -> DecodingError {
            .dataCorruptedError(forKey: key, in: map, debugDescription: text)
        }
        guard kind.applies(to: target) else {
            throw refuse(.fault, "\(kind.rawValue) does not apply to \(target.rawValue)")
        }
        if let count, count < 1 { throw refuse(.count, "\(count) is less than 1") }
        guard (0...1).contains(rate) else { throw refuse(.rate, "\(rate) is not between 0 and 1") }
        if duration != nil, !kind.takesDuration { throw refuse(.ms, "\(kind.rawValue) takes no ms") }
    }
}
