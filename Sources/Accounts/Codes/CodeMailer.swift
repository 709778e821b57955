package import Kernel

/// Port: sends codes, and does as if.
package protocol CodeMailer: Mailer {
    /// Does everything that ``Mailer/enqueue(_:in:)`` does, errors included, except for the row.
    ///
    /// So a mail that is not sent takes as long as one that is.
    func rehearse(_ mail: AccountMail, in transaction: borrowing Transaction) throws
}
