package import Hummingbird
package import NIOCore

/// A request with its connection, which some faults hold open or close.
package struct MockContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    package let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// No call to a mock and no form of its pages comes near it.
    package var maxUploadSize: Int { 65_536 }
}
