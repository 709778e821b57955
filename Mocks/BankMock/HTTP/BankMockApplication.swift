package import Hummingbird
import Logging
package import MockServing

/// Builds the mock's server over `backend`, which a test inspects and controls.
package func makeBankMock(
    backend: SharedState<BankMockState>,
    listening: MockListening = MockListening(logger: Logger(label: "bank-mock"))
) -> some ApplicationProtocol {
    let router = Router(context: MockContext.self)
    let gate = MockGate(backend)
    BankSignInRoutes(backend: backend, gate: gate).add(to: router)
    TokenRoutes(backend: backend, gate: gate).add(to: router)
    BankCardRoutes(backend: backend, gate: gate).add(to: router)
    MockControl(backend).add(to: router)
    BankControl(backend: backend).add(to: router)
    MockIcon.add(to: router)
    return listening.application(of: router)
}
