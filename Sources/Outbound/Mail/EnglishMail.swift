import Accounts

extension MailTexts {
    static let english = MailTexts(
        language: "en",
        code: LinkText(
            subject: "Your sign-in code for %",
            body: "Type this code on the device where you are signing in to %:",
            link: "Show the code on a page",
            validity: "The code works once, for #.",
            unasked: "If you aren't signing in, ignore this mail, and give the code to nobody. We never ask for it."
        ),
        proof: LinkText(
            subject: "Confirm your e-mail address for %",
            body: "Somebody used this address for an account at %. If it was you, confirm that it is yours:",
            link: "Confirm this address",
            validity: "The link works for #.",
            unasked: "If it wasn't you, ignore this mail: the address stays unconfirmed."
        ),
        proofCode: CodeText(
            lead: "The link signs every app out. To stay signed in, type this code in the app of % instead:",
            warning: "Type it only in an app where you opened the account or asked for this address yourself, "
                + "and give it "
                + "to nobody."
        ),
        provenInApp: NoticeText(
            subject: "Your e-mail address for % is confirmed",
            body: "Your address was confirmed with a code that was typed on this device: #. It stays signed in. "
                + "Everything else that was signed in or set up for your account at % before was removed."
        ),
        namelessDevice: "a device without a name",
        notices: [
            .passkeyAdded: NoticeText(
                subject: "A passkey was added to your % account",
                body: "From now on that passkey can sign in to your account at %."
            ),
            .passkeyRemoved: NoticeText(
                subject: "A passkey was removed from your % account",
                body: "That passkey no longer signs in to your account at %. "
                    + "Others that the account has still do. "
                    + "Sessions that the removed one opened elsewhere have ended."
            ),
            .deviceKeyAdded: NoticeText(
                subject: "A device was set up for your % account",
                body: "From now on that device can sign in to your account at % with its own key."
            ),
            .deviceKeyReplaced: NoticeText(
                subject: "A device's key was replaced in your % account",
                body: "A device that signs in to your account at % has a new key. The old one no longer works."
            ),
            .deviceAdded: NoticeText(
                subject: "A device was added to your % account",
                body: "A device was added to your account at % and is recognised from now on. "
                    + "It can sign in, and what it starts counts as yours."
            ),
            .deviceCredentialReplaced: NoticeText(
                subject: "A device was registered anew in your % account",
                body: "A device of your account at % was registered anew and is recognised from now on. "
                    + "What it was recognised by before no longer works."
            ),
            .faceEnrolled: NoticeText(
                subject: "A face was enrolled for your % account",
                body: "From now on a face scan can sign in to your account at %."
            ),
            .passwordChanged: NoticeText(
                subject: "The password of your % account was changed",
                body: "The password of your account at % was set or changed. An old one no longer works."
            ),
            .emailChanged: NoticeText(
                subject: "The e-mail address of your % account was changed",
                body: "Your account at % has another e-mail address now. This one can no longer sign in."
            ),
            .earlierAccessRemoved: NoticeText(
                subject: "Earlier access to your % account was removed",
                body: "Your address was confirmed from a new device. Everything that was signed in or set up "
                    + "for your "
                    + "account at % before was removed."
            ),
        ],
        alarm: "If it was you, there is nothing to do. If it wasn't, somebody else may have access to your account: "
            + "tell whoever runs % at once.",
        test: NoticeText(
            subject: "A test mail from %",
            body: "If you can read this, mail from % arrives. An administrator asked for this mail."
        ),
        footer: "% sent this mail by itself. Answers may not be read.",
        units: Units(minute: "minute", minutes: "minutes", hours: "hours")
    )
}
