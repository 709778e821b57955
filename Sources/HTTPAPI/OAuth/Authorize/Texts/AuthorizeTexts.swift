extension Texts {
    /// The words of the pages of the authorization endpoint itself.
    struct AuthorizeText: Sendable {
        let refused: PageText
        /// Beside the code of the error, and beside the sentence for whoever made the app.
        let code: String
        let reason: String
        /// Of the page that posts the answer to the client by itself.
        let goingBack: PageText
    }
}
