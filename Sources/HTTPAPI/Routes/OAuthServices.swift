package import OAuth
package import Sessions
package import SignIn

/// The authorization server, and the broker for other authorization servers.
package struct OAuthServices: Sendable {
    package var clients: ClientServices
    package let grants: any OAuthGrantStore
    /// Refreshes the token families of the authorization server's clients.
    package var refreshes: RefreshService
    package var authorization: AuthorizationServices
    package let deviceFlow: DeviceFlowServices
    package let backchannel: BackchannelServices
    /// `nil` if the config names no upstreams.
    package var upstreams: UpstreamServices?

    package init(
        clients: ClientServices,
        grants: any OAuthGrantStore,
        refreshes: RefreshService,
        authorization: AuthorizationServices,
        deviceFlow: DeviceFlowServices,
        backchannel: BackchannelServices,
        upstreams: UpstreamServices?
    ) {
        self.clients = clients
        self.grants = grants
        self.refreshes = refreshes
        self.authorization = authorization
        self.deviceFlow = deviceFlow
        self.backchannel = backchannel
        self.upstreams = upstreams
    }
}

/// The clients of the authorization server.
package struct ClientServices: Sendable {
    package var directory: OAuthClientDirectory
    package let registrations: ClientService
    package var authenticator: ClientAuthenticator

    package init(
        directory: OAuthClientDirectory,
        registrations: ClientService,
        authenticator: ClientAuthenticator
    ) {
        self.directory = directory
        self.registrations = registrations
        self.authenticator = authenticator
    }
}

/// Authorization requests, from their start to the redemption of the code.
package struct AuthorizationServices: Sendable {
    package let service: AuthorizationService
    package let reader: AuthorizationRequestReader
    package let pushed: PushedRequests
    package let codes: CodeIssuing
    package let redemption: CodeRedemption

    package init(
        service: AuthorizationService,
        reader: AuthorizationRequestReader,
        pushed: PushedRequests,
        codes: CodeIssuing,
        redemption: CodeRedemption
    ) {
        self.service = service
        self.reader = reader
        self.pushed = pushed
        self.codes = codes
        self.redemption = redemption
    }
}

/// Devices without a browser (RFC 8628).
package struct DeviceFlowServices: Sendable {
    package let service: DeviceFlowService
    package let decisions: DeviceDecisions
    package let redemption: DeviceCodeRedemption

    package init(
        service: DeviceFlowService,
        decisions: DeviceDecisions,
        redemption: DeviceCodeRedemption
    ) {
        self.service = service
        self.decisions = decisions
        self.redemption = redemption
    }
}

/// The backchannel requests of clients whose person is elsewhere (CIBA).
package struct BackchannelServices: Sendable {
    package let service: BackchannelService
    package let tickets: BackchannelTickets
    /// Remembers the signed requests that were used.
    package let memory: AssertionMemory
    package let door: Door

    package init(
        service: BackchannelService,
        tickets: BackchannelTickets,
        memory: AssertionMemory,
        door: Door
    ) {
        self.service = service
        self.tickets = tickets
        self.memory = memory
        self.door = door
    }
}

/// The broker, and the upstreams by the names that the operator gave them.
package struct UpstreamServices: Sendable {
    package let service: BrokerService
    package let upstreams: [String: Upstream]

    package init(
        service: BrokerService,
        upstreams: [String: Upstream]
    ) {
        self.service = service
        self.upstreams = upstreams
    }
}
