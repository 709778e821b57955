extension Texts {
    static let englishEnrollment: [EnrollmentWord: String] = [
        .wallet: "Wallet of",
        .bank: "Bank",
        .cardCount: "Number of cards",
        .card: "Card",
        .questionTitle: "Add the cards of % to this wallet?",
        .questionLead: "You have signed in at %. Look closely whose wallet its cards are to go into.",
        .questionNoCards: "You have signed in at %, which has no card of yours. Look closely whose wallet it is to "
            + "be added to.",
        .fraud: "Only go on if this is your own wallet, and you have just begun this in your own app. If somebody "
            + "sent you here, your cards would land with them: cancel.",
        .add: "Add to this wallet",
        .cancel: "Cancel",
        .addedTitle: "The bank was added",
        .addedLead: "The cards of % are in your wallet. You can close this page.",
        .addedNoCards: "% was added, but has no card of yours yet. Refresh the bank in your wallet once you have one.",
        .cancelledTitle: "The bank was not added",
        .cancelledLead: "You have cancelled, and nothing of % is in your wallet. You can begin again at any time.",
        .unavailableTitle: "The bank does not answer",
        .unavailableLead: "% can't be reached just now, so no card was added. Wait some minutes, then begin again "
            + "in your wallet.",
        .refusedTitle: "The bank refused",
        .refusedLead: "% did not let your wallet in, so no card was added. Begin again in your wallet; if it stays "
            + "so, ask the bank.",
        .expiredTitle: "That took too long",
        .expiredLead: "There are ten minutes for the way to % and back. Begin again in your wallet.",
        .usedTitle: "That was finished already",
        .usedLead: "This answer of % was taken once, and works no second time. Look into your wallet whether the "
            + "cards are there; else begin again.",
        .accountTitle: "You are signed out",
        .accountLead: "Nothing of % was added, because the sign-in that began this is over. Sign in, then begin "
            + "again.",
        .strangeTitle: "This leads nowhere",
        .unknownLead: "Nobody waits here for this answer of a bank; it may be long over. Nothing was added. Begin "
            + "again in your wallet.",
        .otherBankLead: "Another bank answers than the one that was asked, so nothing was added. Begin again in "
            + "your wallet; if it stays so, tell whoever runs this site.",
        .otherBrowserLead: "This was begun in another browser, so nothing was added. If somebody sent you this "
            + "link, they want your cards in their wallet. Begin by yourself, in your own wallet.",
        .otherAccountLead: "You are signed in here with another account than the one that began this, so nothing "
            + "was added. If somebody sent you this link, they want your cards in their wallet.",
        .crossSiteTitle: "This did not come from our page",
        .crossSiteLead: "Another site sent you here, and nothing was done. To add a bank, begin in your wallet.",
    ]
}
