package import Hummingbird
import Logging
package import MockServing

/// Builds the mock's server over `backend`, which a test inspects and controls.
package func makeUpstreamMock(
    backend: SharedState<UpstreamMockState>,
    listening: MockListening = MockListening(logger: Logger(label: "upstream-mock"))
) -> some ApplicationProtocol {
    let router = Router(context: MockContext.self)
    let gate = MockGate(backend)
    SignInRoutes(backend: backend, gate: gate).add(to: router)
    TokenRoutes(backend: backend, gate: gate).add(to: router)
    PeopleRoutes(backend: backend, gate: gate).add(to: router)
    MockControl(backend).add(to: router)
    UpstreamControl(backend: backend).add(to: router)
    MockIcon.add(to: router)
    return listening.application(of: router)
}
