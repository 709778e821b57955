extension Texts {
    static let frenchEnrollment: [EnrollmentWord: String] = [
        .wallet: "Portefeuille de",
        .bank: "Banque",
        .cardCount: "Nombre de cartes",
        .card: "Carte",
        .questionTitle: "Ajouter les cartes de % à ce portefeuille ?",
        .questionLead: "Vous vous êtes connecté chez %. Vérifiez bien dans quel portefeuille ses cartes vont aller.",
        .questionNoCards: "Vous vous êtes connecté chez %, qui n’a aucune carte à vous. Vérifiez bien à quel "
            + "portefeuille la banque va être ajoutée.",
        .fraud: "Ne continuez que si c’est votre propre portefeuille et que vous venez de commencer dans votre "
            + "propre application. Si quelqu’un vous a envoyé ici, vos cartes arriveraient chez lui : annulez.",
        .add: "Ajouter à ce portefeuille",
        .cancel: "Annuler",
        .addedTitle: "La banque est ajoutée",
        .addedLead: "Les cartes de % sont dans votre portefeuille. Vous pouvez fermer cette page.",
        .addedNoCards: "% est ajoutée, mais n’a pas encore de carte à vous. Actualisez la banque dans votre "
            + "portefeuille quand vous en aurez une.",
        .cancelledTitle: "La banque n’est pas ajoutée",
        .cancelledLead: "Vous avez annulé, et rien de % n’est dans votre portefeuille. Vous pouvez recommencer à "
            + "tout moment.",
        .unavailableTitle: "La banque ne répond pas",
        .unavailableLead: "% est injoignable pour l’instant ; aucune carte n’a donc été ajoutée. Attendez quelques "
            + "minutes, puis recommencez dans votre portefeuille.",
        .refusedTitle: "La banque a refusé",
        .refusedLead: "% n’a pas donné accès à votre portefeuille ; aucune carte n’a donc été ajoutée. Recommencez "
            + "dans votre portefeuille ; si cela persiste, demandez à la banque.",
        .expiredTitle: "Cela a pris trop de temps",
        .expiredLead: "Il y a dix minutes pour aller chez % et revenir. Recommencez dans votre portefeuille.",
        .usedTitle: "C’était déjà terminé",
        .usedLead: "Cette réponse de % a été prise une fois et ne sert pas deux fois. Regardez dans votre "
            + "portefeuille si les cartes y sont ; sinon, recommencez.",
        .accountTitle: "Vous êtes déconnecté",
        .accountLead: "Rien de % n’a été ajouté, car la connexion qui l’avait commencé est terminée. "
            + "Connectez-vous, puis recommencez.",
        .strangeTitle: "Cela ne mène nulle part",
        .unknownLead: "Personne n’attend ici cette réponse d’une banque ; elle est peut-être trop ancienne. Rien "
            + "n’a été ajouté. Recommencez dans votre portefeuille.",
        .otherBankLead: "Une autre banque répond que celle qui a été interrogée ; rien n’a donc été ajouté. "
            + "Recommencez dans votre portefeuille ; si cela persiste, prévenez le responsable de ce site.",
        .otherBrowserLead: "Cela a commencé dans un autre navigateur ; rien n’a donc été ajouté. Si quelqu’un vous "
            + "a envoyé ce lien, il veut vos cartes dans son portefeuille. Commencez vous-même, dans le vôtre.",
        .otherAccountLead: "Vous êtes connecté ici avec un autre compte que celui qui a commencé ; rien n’a donc "
            + "été ajouté. Si quelqu’un vous a envoyé ce lien, il veut vos cartes dans son portefeuille.",
        .crossSiteTitle: "Cela ne vient pas de notre page",
        .crossSiteLead: "Un autre site vous a envoyé ici, et rien n’a été fait. Pour ajouter une banque, commencez "
            + "dans votre portefeuille.",
    ]
}
