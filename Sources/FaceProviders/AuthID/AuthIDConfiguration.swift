package import Kernel

/// An account at authID, or at a server with the same API.
package struct AuthIDConfiguration: Sendable, Equatable {
    /// The base URL of the API (scheme, host and port), to which the API's own paths are added.
    package var baseURL: String
    /// The base URL of the person's scan page: scheme, host and port.
    package var pageURL: String
    package var keyID: Secret
    package var keyValue: Secret
    package var calls: CallLimits

    package init(
        baseURL: String,
        pageURL: String,
        keyID: Secret,
        keyValue: Secret,
        calls: CallLimits = CallLimits()
    ) {
        self.baseURL = Self.withoutTrailingSlash(baseURL)
        self.pageURL = Self.withoutTrailingSlash(pageURL)
        self.keyID = keyID
        self.keyValue = keyValue
        self.calls = calls
    }

    private static func withoutTrailingSlash(_ url: String) -> String {
        var url = url[...]
        while url.hasSuffix("/") { url.removeLast() }
        return String(url)
    }
}
