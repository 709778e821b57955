extension Texts {
    static let frenchSignIn: [SignInWord: String] = [
        .title: "Se connecter à %",
        .lead: "Avec une clé d’accès ou avec votre visage. Il n’y a pas de mot de passe.",
        .oneMoreTitle: "Encore une étape",
        .oneMoreFace: "% demande aussi un contrôle du visage.",
        .oneMorePasskey: "% demande aussi une clé d’accès.",
        .usePasskey: "Utiliser une clé d’accès",
        .orFace: "Ou par un contrôle du visage, si le vôtre est enregistré :",
        .passkeysNeedScript:
            "Les clés d’accès ont besoin de JavaScript, qui ne fonctionne pas ici. Le contrôle du visage s’en passe.",
        .emailWrong: "Saisissez votre adresse électronique, par exemple ada@example.com.",
        .cancel: "Annuler et revenir à %",

        .hereLead:
            "Ouvrez le contrôle ; il apparaît dans un onglet à part. Revenez ensuite : cette page continue d’elle-même.",
        .looksAgain: "Cette page vérifie toutes les quelques secondes si le contrôle est terminé.",
        .lookAgain: "Vérifier maintenant",
        .otherWay: "Se connecter autrement",

        .consentTitle: "Autoriser % à utiliser votre compte ?",
        .consentLead: "Si vous l’autorisez, % peut :",
        .continueTitle: "Continuer vers % ?",
        .continueLead: "Vous êtes déjà connecté. % l’a demandé sur cet appareil.",
        .account: "Connecté en tant que",
        .goesTo: "Vous revenez à",
        .strange:
            "% n’est pas géré par l’exploitant de ce site. N’autorisez que ce que vous venez de demander vous-même.",
        .allow: "Autoriser",
        .goOn: "Continuer",
        .refuse: "Ne pas autoriser",
        .scopeOpenID: "savoir que c’est vous quand vous revenez",
        .scopeProfile: "voir votre nom",
        .scopeEmail: "voir votre adresse électronique",
        .scopeOffline: "garder cet accès en votre absence, jusqu’à ce que vous le retiriez",
        .scopeOther: "utiliser « # »",
        .resource: "agir pour vous auprès de #",

        .onwardTitle: "Un instant",
        .onwardLead: "Vous êtes redirigé. Si rien ne se passe, continuez ci-dessous.",
        .onward: "Continuer",
        .overTitle: "Cette connexion est terminée",
        .overLead:
            "Elle a pris fin, son temps est écoulé, ou elle a été lancée dans un autre navigateur. Recommencez dans "
            + "l’application.",
        .busyTitle: "Trop de demandes à la fois",
        .busyLead: "Trop de connexions ont été demandées. Réessayez dans un instant.",
        .crossSiteTitle: "Cela ne venait pas de notre page",
        .crossSiteLead:
            "Un autre site vous a envoyé ici avec cette demande, et rien n’a été fait. Recommencez dans l’application.",
        .serverDownTitle: "Nous ne pouvons pas continuer pour l’instant",
        .serverDownLead: "Le serveur a un problème de son côté. Rechargez la page dans un instant.",
        .serverFaultTitle: "Une erreur s’est produite ici",
        .serverFaultLead: "Rechargez la page. Si cela n’aide pas, recommencez dans l’application.",
    ]
}
