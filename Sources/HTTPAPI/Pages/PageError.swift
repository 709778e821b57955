import Hummingbird

/// An error that is answered differently from ``APIError``: as a page for a person, or an OAuth error for a client.
///
/// The log records the underlying error.
struct PageError: Error {
    let cause: any Error
    let page: Response
}
