package import Kernel

/// Port: sends codes, and does as if.
package protocol CodeMailer: Mailer {
    /// All that ``Mailer/enqueue(_:in:)`` does, refusals included, but for the row: so that a mail that nobody gets
    /// takes as long as one that somebody does.
    func rehearse(_ mail: AccountMail, in transaction: borrowing Transaction) throws
}
