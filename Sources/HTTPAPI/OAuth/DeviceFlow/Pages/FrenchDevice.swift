extension Texts {
    static let frenchDevice: [DeviceWord: String] = [
        .signInTitle: "Donner accès à un appareil",
        .signInLead: "Un appareil sur lequel on écrit mal, comme un téléviseur, affiche un code et vous demande de "
            + "venir ici. Montrez d’abord que c’est vous.",
        .signInGoOn: "Se connecter et continuer",
        .askTitle: "Donner accès à un appareil",
        .askLead: "Saisissez le code que votre appareil affiche sur son écran.",
        .code: "Code de l’appareil",
        .codeHint: "Huit lettres. Les majuscules et le trait d’union n’ont pas d’importance.",
        .codeWrong:
            "Aucun appareil n’attend avec ce code. Regardez encore son écran : il en affiche peut-être un autre.",
        .questionTitle: "Autoriser % à utiliser votre compte ?",
        .compare: "L’appareil devant vous affiche-t-il exactement ce code, maintenant ?",
        .warning: "N’utilisez qu’un code que vous lisez sur l’écran de votre propre appareil.",
        .fraud: "Si quelqu’un vous a envoyé le code ou le lien vers cette page, ou vous le lit au téléphone, il veut "
            + "entrer dans votre compte. Personne de bien intentionné ne le demande, et nous ne le faisons jamais.",
        .sameNetwork: "%, le réseau où vous êtes",
        .otherNetwork: "%, un autre réseau que le vôtre",
        .allowedTitle: "L’appareil a accès",
        .allowedLead: "% continue de lui-même dans un instant. Vous pouvez fermer cette page.",
        .deniedTitle: "L’appareil n’a pas accès",
        .deniedLead: "% n’obtient rien. Si quelqu’un vous l’a demandé, ne faites rien d’autre de ce qu’il demande.",
        .triesTitle: "Trop de codes",
        .triesLead: "Vous avez essayé trop de codes. Attendez quelques minutes, puis saisissez celui que "
            + "votre appareil affiche alors.",
    ]
}
