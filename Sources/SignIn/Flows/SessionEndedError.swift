/// The session that asks for a change ended since its request was let in.
package struct SessionEndedError: Error {
    package init() {}
}
