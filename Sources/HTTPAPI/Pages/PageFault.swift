import Hummingbird

/// A fault that a person in a browser meets: shown as a page, while its cause stays for the log.
struct PageFault: Error {
    let cause: any Error
    let page: Response
}
