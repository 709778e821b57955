/// The form of a button, and the name of its class in `styles/page.css`.
package enum ButtonStyle: String, Sendable, CaseIterable {
    /// The step that the page is for; it has no class.
    case primary = ""
    /// A step beside it.
    case plain
    /// A step that removes, ends or declines.
    case quiet
    /// A step that nobody can undo.
    case danger
}
