/// A command as it arrives on the socket: an object whose only member is the command, under its name.
package struct AdminCall: Decodable, Sendable {
    let command: any AdminCommand

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: WireName.self)
        let known = container.allKeys.compactMap { key in AdminTable.byName[key.stringValue].map { (key, $0) } }
        guard known.count == 1, let (key, type) = known.first else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "The object does not name one command.")
            )
        }
        command = try container.decode(type, forKey: key)
    }
}

extension AdminCommand {
    /// The command as it is sent.
    package var message: [String: Self] { [Self.name: self] }
}

/// The answer to a command as it arrives: an object with the reply under its name, or with a `fault`.
package struct AdminAnswer<Command: AdminCommand>: Decodable, Sendable {
    package let result: Result<Command.Reply, AdminError>

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: WireName.self)
        if container.contains(.fault) {
            result = .failure(try container.decode(AdminError.self, forKey: .fault))
        } else {
            let reply = try container.nestedContainer(keyedBy: WireName.self, forKey: WireName(Command.replyName))
            result = .success(try reply.decode(Command.Reply.self, forKey: .value))
        }
    }
}

extension AdminError {
    /// The refusal of a command that changes something, for an operator who may only read.
    static let readOnly = AdminError(
        code: "read_only",
        message: "Members of listen.adminReadGroup may only read. Ask the daemon's own user or root to do this."
    )

    /// The refusal as it is sent, which is the same for every command.
    package var answer: [String: AdminError] { [WireName.fault.stringValue: self] }
}

extension AdminServices {
    /// Returns the answer to an operator's command as it is sent.
    ///
    /// Expected refusals are answers too.
    ///
    /// - Throws: The error of the database or of the key files.
    package func answer(_ call: AdminCall, to who: Operator) async throws -> any Encodable & Sendable {
        try await answer(call.command, to: who)
    }

    private func answer<Command: AdminCommand>(
        _ command: Command,
        to who: Operator
    ) async throws -> any Encodable & Sendable {
        do {
            guard who.mayRun(Command.effect) else { throw AdminError.readOnly }
            do { try await daemon.operators.note(command, by: who) } catch  where command.mayGoUnrecorded {}
            let reply = try await execute(command)
            return [Command.replyName: [WireName.value.stringValue: reply]]
        } catch let error as AdminError { return error.answer }
    }
}

/// A key of the socket's objects.
struct WireName: CodingKey {
    static let fault = WireName("fault")
    /// The name of the only member of a command or a reply that is a single value.
    ///
    /// Swift uses it for unlabelled enum cases.
    static let value = WireName("_0")

    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }

    init?(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) { nil }
}
