/// Texts of the pages on which people manage their own account; `%` is replaced by a name, a number or a time.
package enum AccountKey: String, LocalizationKey {
    package static var section: String { "account" }

    // The overview
    case title, sessionsTitle, sessionsLead, thisBrowser, usedAt, since, end, endOthers, notMe, signOut, loginsTitle
    case loginsLead, noLogins
    // The states of sign-ins, and how they were made
    case signedIn, over, disowned, inProgress, completed, failed, approval, byPasskey, byFace, byDeviceKey
    case byMailedCode, byPassword
    // Times and places
    case hoursAgo, daysAgo, network
    // Devices and passkeys
    case devicesTitle, devicesLead, namelessDevice, deviceHasKey, thisDevice, deviceRemove, addedAt, passkeysTitle
    case passkeysLead, passkeysWaitLead, noPasskeys, passkey, kindPhone, kindComputer, kindSecurityKey, kindManager
    case madeAt, countsFrom, synced, rename, remove, addPasskey
    // The face
    case faceTitle, faceSet, faceUnset, facePending, faceChange, faceAdd, faceAddLead, faceRenewLead, faceRenew
    case faceRemovalTitle, faceRemovalLead, faceNotOffered, addressFirst, faceAgain
    // The address and the password
    case accessTitle, noAddress, confirmed, unconfirmed, addressChange, addressAdd, passwordSet, passwordUnset
    case passwordChange, passwordAdd, passwordRemove
    // Apps, cards and the account
    case appsTitle, appsLead, noApps, givenAt, withdraw, cardsTitle, noCards, defaultCard, accountTitle, accountLead
    case download, closeAccount
    // Pages without a form, and the one for a stronger sign-in
    case missingTitle, missingLead, foreignFormTitle, foreignFormLead, closedTitle, closedLead, signedOutTitle
    case signedOutLead, strongerTitle, strongerLead, olderProofLead, signInAgain
    // The pages of changes
    case notMeTitle, notMeLead, notMeOwnLead, renameTitle, passkeyName, nameWrong, save, passkeyRemovalTitle
    case passkeyRemovalLead, lastWayLead, currentPassword, newPassword, newPasswordHint, passwordEndsLead
    case passwordWeak, passwordWrong, passwordRemovalLead, newAddress, addressAnew, sendCode, code, codeLead
    case codeWrong, confirmAddress, emailWrong, cardRemovalTitle, cardRemovalLead, downloadTitle, downloadLead
    case closeTitle, closeLead, closeEndsLead, closeName, closeNameWrong
    // The things that a change ends
    case endsSessions, endsApps, endsOperations, endsConsents, endsPasskeys, endsDevices, endsFaces
    case endsFacesByPassword, endsPassword, endsMailedCodes, endsCards
    // The sentences after a change
    case doneEnded, doneOthersEnded, doneDisowned, doneDeviceRemoved, donePasskeyRenamed, donePasskeyRemoved
    case doneConsentWithdrawn, doneFaceRemoved, doneEmailChanged, donePasswordChanged, donePasswordRemoved
    case doneCardRemoved, doneFaceAdded, donePasskeyAdded
    // The link on the site's other pages
    case linkWay, link
}
