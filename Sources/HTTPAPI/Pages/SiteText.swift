extension Texts {
    /// The words of the site's pages and of their scripts.
    struct SiteText: Sendable {
        let words: [SiteWord: String]
        let scriptWords: [ScriptWord: String]
    }
}

/// What stands in the site's pages: in their markup `{{say.NAME}}`.
enum SiteWord: String, Sendable, CaseIterable {
    // Every page
    case skip, pages, needsScript, optional, settings, signUp, signIn, signOut, myPasskeys, signedIn, tryAgain
    // Home
    case homeTitle, homeLead, signUpLink, passkeysLink
    case signUpWay, signInWay, passkeysWay, faceLink, faceWay, usersTitle, usersHint
    // Making a passkey
    case signUpLead, username, signUpHint, havePasskey, created, kind, credentialID, signInNow
    // Its settings
    case attestationType, userVerification, residentKey, authenticatorAttachment, preferredAuthenticatorType, timeout
    case algorithms, customRpName, customRpID, customRpHint
    // Signing in
    case signInTitle, signInLead, signInHint, signInButton, noPasskeyYet, byMail, mailTitle, mailLead, sendCode, code
    // My passkeys
    case addPasskey, addHint, strangerTitle, strangerLead, removalTitle, removalLead, remove, keep
    // By face
    case faceTitle, faceLead, email, `where`, here, elsewhere, withPasskey, waitingTitle, hereLead, elsewhereLead
    case codeLabel, numberLead, openScan, stepOpen, stepStart, stepScan, stepJudge, giveUp, notSignedIn, faceDone
}

/// What the site's scripts say: `say("NAME")`.
enum ScriptWord: String, Sendable, CaseIterable {
    // How it goes
    case starting, followTheDevice, checking, signedInAs, signedOut
    // Of passkeys
    case synced, syncable, onOneDevice, createdAt, lastUsed, neverUsed, unnamed, onePasskey, passkeys, nobody, noneYet
    case rename, renameNamed, nameOfPasskey, save, cancel, remove, removeNamed, renamed, removed, added
    // Of a face login
    case faceCreated, faceOpened, faceScanning, faceJudged, providerDegraded, timeLeft, faceCancelled, faceOver
    // Of the page that asks before a scan
    case cancelledConfirm, confirmOver
    // Of a code by mail
    case codeSent, codeWrong
    // What the person is to do first
    case noPasskeys, needsHTTPS, nameMissing, algorithmMissing, emailWrong, nameTaken, lastPasskey, passkeyGone
    // How the browser's ceremony ended
    case cancelled, cancelledSignIn, tookTooLong, alreadyRegistered, alreadyOnThisDevice, wrongAddress, notSupported
    case notCapable, deviceFault
    // What the server answered
    case notVerified, notAccepted, unknownPasskey, challengeOver, registrationClosed, notListed, badName, badUsername
    case tooManyPasskeys, signInFirst, signInAgain, signInByIt, tooMany, serverDown, noAnswer, offline
    case somethingWrong
}
