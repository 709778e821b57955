import HTTPTypes
import Hummingbird
import MockServing

/// authID's AdministrationService: accounts.
struct AccountRoutes: Sendable {
    let backend: MockBackend
    let gate: ProviderGate

    func add(to router: Router<MockContext>) {
        router.post(RouterPath(ProviderCall.accountCreate.path), use: gate.serve(.accountCreate, create))
        router.get(RouterPath(ProviderCall.accountGet.path), use: gate.serve(.accountGet, read))
        router.delete(RouterPath(ProviderCall.accountDelete.path), use: gate.serve(.accountDelete, delete))
    }

    private func create(_ request: Request, _ context: MockContext, _: FaultEffect?) async throws -> JSONReply {
        let account = try await request.json(AccountBody.self, in: context).account
        guard !account.number.isEmpty else { throw ProviderError.invalidRequest("AccountNumber is empty.") }
        try backend.with { state, _ throws(ProviderError) in try state.createAccount(account) }
        return try JSONReply(AccountBody(account))
    }

    private func read(_: Request, _ context: MockContext, _: FaultEffect?) async throws -> JSONReply {
        let number = try context.pathText("account")
        guard let account = backend.with({ state, _ in state.account(number) }) else { return .null }
        return try JSONReply(AccountBody(account))
    }

    private func delete(_: Request, _ context: MockContext, _: FaultEffect?) async throws -> JSONReply {
        let number = try context.pathText("account")
        backend.with { state, _ in state.deleteAccount(number) }
        return .null
    }
}

extension MockContext {
    /// A part of the path, percent-decoded.
    ///
    /// Throws ``ProviderError`` 400 when it can't be decoded.
    func pathText(_ name: String) throws -> String {
        guard let text = parameters.get(name).flatMap(PercentDecoding.decode), !text.isEmpty else {
            throw ProviderError.invalidRequest("The path can't be read.")
        }
        return text
    }
}
