import Hummingbird

/// A fault that is told in another form than the API’s problems: to a person as a page, to an OAuth client in the terms of its
/// protocol; its cause stays for the log.
struct PageFault: Error {
    let cause: any Error
    let page: Response
}
