import FoundationEssentials
import Kernel
import Operations
import Synchronization

/// A client's policy as it is copied into a row: JSON, encoded once per policy and decoded to one shared instance.
final class PolicyColumn: Sendable {
    /// The number of cached policies: a cache that is full is emptied.
    private static let capacity = 8192

    private let written = Mutex<[ObjectIdentifier: (policy: ClientPolicy, text: String)]>([:])
    private let read = Mutex<[String: ClientPolicy]>([:])

    func text(of policy: ClientPolicy) throws -> String {
        if let known = written.withLock({ $0[ObjectIdentifier(policy)]?.text }) { return known }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(Columns(policy)), as: UTF8.self)
        // The policy itself is kept, so that another policy can't get its identity.
        written.withLock { written in
            if written.count >= Self.capacity { written = [:] }
            written[ObjectIdentifier(policy)] = (policy, text)
        }
        return text
    }

    func policy(from text: String) throws -> ClientPolicy {
        if let known = read.withLock({ $0[text] }) { return known }
        guard let columns = try? JSONDecoder().decode(Columns.self, from: Data(text.utf8)),
            let policy = columns.policy
        else { throw StoreError.corrupt(cause: "column policy can't be read") }
        read.withLock { read in
            if read.count >= Self.capacity { read = [:] }
            read[text] = policy
        }
        return policy
    }

    private struct Columns: Codable {
        let client: String
        let audience: String
        let verifier: String
        let initiators: String
        let lifetime: Int64
        let approvalWindow: Int64
        let redemptionWindow: Int64
        let accessToken: Int64
        let refreshToken: Int64
        /// Absent in rows from before there was a choice.
        let landing: Landing?

        init(_ policy: ClientPolicy) {
            client = policy.clientID
            audience = policy.audience
            verifier = policy.verifier.rawValue
            initiators = policy.initiators.rawValue
            lifetime = policy.timing.lifetime.wholeMilliseconds
            approvalWindow = policy.timing.approvalWindow.wholeMilliseconds
            redemptionWindow = policy.timing.redemptionWindow.wholeMilliseconds
            accessToken = policy.accessTokenLifetime.wholeMilliseconds
            refreshToken = policy.refreshTokenLifetime.wholeMilliseconds
            landing = policy.landing == LandingPolicy() ? nil : Landing(policy.landing)
        }

        var policy: ClientPolicy? {
            guard let verifier = ClientPolicy.Verifier(rawValue: verifier),
                let initiators = ClientPolicy.Initiators(rawValue: initiators),
                let landing = landing.map(\.policy) ?? LandingPolicy()
            else { return nil }
            return ClientPolicy(
                clientID: client,
                audience: audience,
                verifier: verifier,
                initiators: initiators,
                timing: OperationTiming(
                    lifetime: .milliseconds(lifetime),
                    approvalWindow: .milliseconds(approvalWindow),
                    redemptionWindow: .milliseconds(redemptionWindow)
                ),
                accessTokenLifetime: .milliseconds(accessToken),
                refreshTokenLifetime: .milliseconds(refreshToken),
                landing: landing
            )
        }
    }

    private struct Landing: Codable {
        let name: String
        let step: String
        /// Absent for confirmation by a button, as in rows from before there was a choice.
        let confirmation: String?
        let returnURLs: [String]?
        let requiresReturn: Bool?
        /// Absent for a start by an app.
        let starter: String?
        /// Both are absent where there is nothing to show.
        let scopes: [String]?
        let resources: [String]?
        /// Absent where the person signs in to the client itself.
        let signsInTo: String?

        init(_ policy: LandingPolicy) {
            name = policy.clientName
            step = policy.step.rawValue
            confirmation = policy.confirmation == .press ? nil : policy.confirmation.rawValue
            returnURLs = policy.returnURLs.isEmpty ? nil : policy.returnURLs
            requiresReturn = policy.requiresReturn ? true : nil
            starter = policy.starter == .app ? nil : policy.starter.rawValue
            scopes = policy.asked?.scopes
            resources = policy.asked?.resources
            signsInTo = policy.signsInTo
        }

        var policy: LandingPolicy? {
            let asked = confirmation ?? LandingPolicy.Confirmation.press.rawValue
            guard let step = LandingPolicy.Step(rawValue: step),
                let confirmation = LandingPolicy.Confirmation(rawValue: asked),
                let starter = LandingPolicy.Starter(rawValue: starter ?? LandingPolicy.Starter.app.rawValue)
            else { return nil }
            return LandingPolicy(
                clientName: name,
                step: step,
                confirmation: confirmation,
                returnURLs: returnURLs ?? [],
                requiresReturn: requiresReturn ?? false,
                starter: starter,
                asked: scopes.map { LandingPolicy.Asked(scopes: $0, resources: resources ?? []) },
                signsInTo: signsInTo
            )
        }
    }
}
