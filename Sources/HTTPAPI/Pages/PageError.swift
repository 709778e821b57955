import Hummingbird

/// An error in another form than ``APIError``: a page for a person, or an OAuth error for a client.
///
/// The log has its cause.
struct PageError: Error {
    let cause: any Error
    let page: Response
}
