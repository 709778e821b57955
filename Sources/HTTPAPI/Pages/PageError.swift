import Hummingbird

/// An error that is told in another form than ``APIError``: to a person as a page, to an OAuth client in the terms of its
/// protocol; its cause stays for the log.
struct PageError: Error {
    let cause: any Error
    let page: Response
}
