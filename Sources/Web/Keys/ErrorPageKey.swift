/// The pages for errors that have no page of their own.
package enum ErrorPageKey: String, LocalizationKey {
    package static var section: String { "errorPages" }

    case refused, forbidden, notFound, notAllowed, gone
    /// `%` is replaced by a number of seconds.
    case busy
    case unavailable, fault
}
