package import Kernel

/// The notices that wait in a queue, in all or of one client.
package struct NoticeQueueState: Sendable, Equatable {
    package let waiting: Int
    package let oldest: Instant?
    /// The cause of the latest failure of a waiting notice, if the state is that of one client and the queue keeps it.
    package let failure: String?

    package init(waiting: Int, oldest: Instant?, failure: String? = nil) {
        self.waiting = waiting
        self.oldest = oldest
        self.failure = failure
    }
}
