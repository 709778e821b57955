package import Kernel

/// Port: sends codes, or only does the work of sending them.
package protocol CodeMailer: Mailer {
    /// Does everything that ``Mailer/enqueue(_:in:)`` does, errors included, except for the row.
    ///
    /// So a mail that is not sent takes as long as a mail that is sent.
    func rehearse(_ mail: AccountMail, in transaction: borrowing Transaction) throws
}
