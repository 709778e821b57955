package import Kernel
package import Operations
package import Outbound

/// An account at authID, or at a server that speaks its API.
package struct AuthIDConfiguration: Sendable {
    package let name: ProviderName
    /// The address of the API: scheme, host and port, to which the API's own paths are added.
    package let baseURL: String
    /// The address of the person's scan page: scheme, host and port.
    package let pageURL: String
    package let keyID: Secret
    package let keyValue: Secret
    package let connectTimeout: Duration
    /// The timeout of each request by itself; a call may need more than one when its token has to be renewed.
    package let requestTimeout: Duration
    /// Status checks on their way at one time.
    package let checkConcurrency: Int
    /// Scans being started at one time.
    package let startConcurrency: Int
    package let maxResponseBytes: Int

    package init(
        name: ProviderName,
        baseURL: String,
        pageURL: String,
        keyID: Secret,
        keyValue: Secret,
        connectTimeout: Duration = .seconds(3),
        requestTimeout: Duration = .seconds(10),
        checkConcurrency: Int = 32,
        startConcurrency: Int = 32,
        maxResponseBytes: Int = 65_536
    ) {
        self.name = name
        self.baseURL = Self.withoutTrailingSlash(baseURL)
        self.pageURL = Self.withoutTrailingSlash(pageURL)
        self.keyID = keyID
        self.keyValue = keyValue
        self.connectTimeout = connectTimeout
        self.requestTimeout = requestTimeout
        self.checkConcurrency = checkConcurrency
        self.startConcurrency = startConcurrency
        self.maxResponseBytes = maxResponseBytes
    }

    /// The limits of the adapter's HTTP client: a connection for every check and every start that may be in progress,
    /// and some for tokens and accounts, so that none queues behind another.
    package var outboundLimits: OutboundLimits {
        OutboundLimits(connectTimeout: connectTimeout, connectionsPerHost: checkConcurrency + startConcurrency + 4)
    }

    private static func withoutTrailingSlash(_ url: String) -> String {
        var url = url[...]
        while url.hasSuffix("/") { url.removeLast() }
        return String(url)
    }
}
