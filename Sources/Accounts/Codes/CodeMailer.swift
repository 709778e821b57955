package import Kernel

/// Port: sends codes, or only does the work of sending them.
package protocol CodeMailer: Mailer {
    /// Does everything that ``Mailer/enqueue(_:in:)`` does, errors included, except for the row.
    ///
    /// A mail that is not sent so takes as long as one that is.
    func rehearse(_ mail: AccountMail, in transaction: borrowing Transaction) throws
}
