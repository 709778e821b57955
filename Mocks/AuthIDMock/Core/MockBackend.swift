package import MockServing

/// The one shared ``MockState``.
package typealias MockBackend = SharedState<MockState>

extension SharedState<MockState> {
    package convenience init(configuration: MockConfiguration = MockConfiguration(), inputs: MachineInputs) {
        self.init(MockState(configuration: configuration, random: inputs.randomBytes), inputs: inputs)
    }
}
