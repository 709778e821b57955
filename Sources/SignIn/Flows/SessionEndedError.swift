/// The session that requests a change ended after the request was admitted.
package struct SessionEndedError: Error {
    package init() {}
}
