extension Texts {
    static let englishDevice: [DeviceWord: String] = [
        .signInTitle: "Let a device in",
        .signInLead: "A device that you can't type on well, like a television, shows a code and asks you to come here. "
            + "First show that it is you.",
        .signInGoOn: "Sign in and go on",
        .askTitle: "Let a device in",
        .askLead: "Type the code that your device shows on its screen.",
        .code: "Code on the device",
        .codeHint: "Eight letters. Capitals and the hyphen don’t matter.",
        .codeWrong: "No device waits with this code. Look at its screen again: it may show a new one by now.",
        .questionTitle: "Let % use your account?",
        .compare: "Does the device in front of you show exactly this code, right now?",
        .warning: "Only use a code that you read from the screen of your own device.",
        .fraud: "If somebody sent you the code or the link to this page, or reads it to you on the phone, they want to "
            + "get into your account. Nobody who means well asks for that, and we never do.",
        .sameNetwork: "%, the network that you are on",
        .otherNetwork: "%, not the network that you are on",
        .allowedTitle: "The device is let in",
        .allowedLead: "% goes on by itself in a moment. You can close this page.",
        .deniedTitle: "The device is not let in",
        .deniedLead: "% gets nothing. If somebody asked you for this, don’t do anything else that they ask.",
        .triesTitle: "Too many codes",
        .triesLead: "You have tried too many codes. Wait a few minutes, then type the one that your "
            + "device shows by then.",
    ]
}
