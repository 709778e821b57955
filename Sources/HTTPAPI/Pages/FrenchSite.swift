extension Texts.SiteText {
    static let french = Texts.SiteText(
        words: [
            .skip: "Aller au contenu",
            .pages: "Pages du site",
            .needsScript: "Cette page a besoin de JavaScript : le navigateur s’en sert pour les clés d’accès.",
            .optional: "(facultatif)",
            .settings: "Tous les réglages",
            .signUp: "Créer une clé d’accès",
            .signIn: "Se connecter",
            .signOut: "Se déconnecter",
            .myPasskeys: "Mes clés d’accès",
            .signedIn: "Vous êtes connecté",
            .tryAgain: "Réessayer",

            .homeTitle: "Se connecter sans mot de passe",
            .homeLead: "Avec une clé d’accès ou avec votre visage : rien à retenir, et rien à saisir sur une fausse "
                + "page.",
            .signUpLink: "Créer",
            .passkeysLink: "Clés d’accès",
            .signUpWay: "Choisissez un nom ; votre appareil garde la clé.",
            .signInWay: "Avec une clé d’accès que vous avez.",
            .passkeysWay: "Les voir, les renommer, les supprimer.",
            .faceLink: "Visage",
            .faceWay: "Un contrôle du visage, ici ou sur votre téléphone.",
            .usersTitle: "Qui est inscrit",
            .usersHint: "Tout le monde peut voir cette liste. L’exploitant l’a activée pour des essais.",

            .signUpLead: "Votre appareil demande ensuite votre visage, votre doigt ou son code, et garde la clé "
                + "d’accès.",
            .username: "Nom",
            .signUpHint: "Votre nom ici ; s’il ressemble à une adresse e-mail, il n’est qu’un nom et ne reçoit "
                + "rien. Pour ajouter une clé d’accès à un nom que vous avez, connectez-vous d’abord.",
            .havePasskey: "Vous avez déjà une clé d’accès ?",
            .created: "Votre clé d’accès est prête",
            .kind: "Conservée",
            .credentialID: "Son identifiant",
            .signInNow: "Essayer : se connecter",

            .attestationType: "Attestation de l’appareil",
            .userVerification: "Vérification de l’utilisateur",
            .residentKey: "Clé résidente",
            .authenticatorAttachment: "Authentificateur",
            .preferredAuthenticatorType: "Type préféré",
            .timeout: "Délai en millisecondes",
            .algorithms: "Algorithmes",
            .customRpName: "Nom du site (RP)",
            .customRpID: "Domaine de la clé (RP ID)",
            .customRpHint: "Seulement un domaine que le serveur permet et dont cette page fait partie.",

            .signInTitle: "Se connecter avec une clé d’accès",
            .signInLead: "Votre appareil demande votre visage, votre doigt ou son code.",
            .signInHint: "Laissez vide pour choisir parmi toutes vos clés d’accès.",
            .signInButton: "Utiliser une clé d’accès",
            .noPasskeyYet: "Pas encore de clé d’accès ?",
            .byMail: "Recevoir un code par e-mail",
            .mailTitle: "Se connecter avec un code par e-mail",
            .mailLead: "Pour un compte qui a une adresse e-mail : le chemin vers une première clé d’accès, ou "
                + "vers une "
                + "nouvelle quand il n’en reste aucune.",
            .sendCode: "Envoyer un code",
            .code: "Code reçu par e-mail",

            .addPasskey: "Ajouter une clé d’accès",
            .addHint: "Une deuxième clé d’accès, sur un autre appareil ou une clé de sécurité, vous sert si celle-ci "
                + "est perdue.",
            .strangerTitle: "Connectez-vous pour voir vos clés d’accès",
            .strangerLead: "Elles ne sont montrées qu’à vous.",
            .removalTitle: "Supprimer cette clé d’accès ?",
            .removalLead: "Elle ne vous connectera plus, et toute autre session ouverte par elle prend fin. "
                + "Supprimez aussi ce que votre appareil en garde.",
            .remove: "Supprimer",
            .keep: "La garder",

            .faceTitle: "Se connecter avec le visage",
            .faceLead: "Pour qui a un compte avec un visage enregistré.",
            .email: "Adresse e\u{2011}mail",
            .where: "Où voulez-vous faire le contrôle ?",
            .here: "Sur cet appareil",
            .elsewhere: "Sur mon téléphone",
            .withPasskey: "Se connecter plutôt avec une clé d’accès",
            .waitingTitle: "En attente du contrôle du visage",
            .hereLead: "Le contrôle s’est ouvert dans un onglet à part. Cette page continue d’elle-même quand il est "
                + "terminé.",
            .elsewhereLead: "Ouvrez ce code avec l’appareil photo de votre téléphone.",
            .codeLabel: "Code QR avec l’adresse du contrôle du visage",
            .numberLead: "Saisissez ensuite là-bas ce nombre :",
            .openScan: "Ouvrir le contrôle du visage",
            .stepOpen: "Ouvrir le contrôle",
            .stepStart: "Le contrôle démarre",
            .stepScan: "Montrer votre visage",
            .stepJudge: "Le contrôle est vérifié",
            .giveUp: "Annuler",
            .notSignedIn: "Vous n’êtes pas connecté",
            .faceDone: "Avec une clé d’accès sur cet appareil, plus de contrôle la prochaine fois.",
        ],
        scriptWords: [
            .starting: "Un instant …",
            .followTheDevice: "Suivez ce que demande votre appareil.",
            .checking: "Vérification …",
            .signedInAs: "Connecté : {name}",
            .signedOut: "Vous êtes déconnecté.",

            .synced: "Synchronisée",
            .syncable: "Pas encore synchronisée",
            .onOneDevice: "Sur un seul appareil",
            .createdAt: "Créée le {day}",
            .lastUsed: "Dernière utilisation le {day}",
            .neverUsed: "Pas encore utilisée",
            .unnamed: "Clé d’accès du {day}",
            .onePasskey: "1 clé d’accès",
            .passkeys: "{n} clés d’accès",
            .nobody: "Personne pour l’instant. Créez la première clé d’accès.",
            .noneYet: "Il n’y en a pas encore. Ajoutez-en une.",
            .rename: "Renommer",
            .renameNamed: "Renommer {name}",
            .nameOfPasskey: "Nom de cette clé d’accès",
            .save: "Enregistrer",
            .cancel: "Annuler",
            .remove: "Supprimer",
            .removeNamed: "Supprimer {name}",
            .renamed: "Elle s’appelle maintenant « {name} ».",
            .removed: "« {name} » a été supprimée.",
            .added: "La clé d’accès a été ajoutée.",

            .faceCreated: "Ouvrez le contrôle : nous attendons.",
            .faceOpened: "Le contrôle est ouvert et démarre.",
            .faceScanning: "Le contrôle est en cours. Regardez la caméra là-bas.",
            .faceJudged: "Le contrôle est en cours de vérification.",
            .providerDegraded: "Le service de contrôle du visage répond lentement. Votre connexion continue.",
            .timeLeft: "Encore {time}",
            .faceCancelled: "La connexion a été annulée.",
            .faceOver: "Cette connexion est terminée. Recommencez.",

            .cancelledConfirm: "C’était annulé, ou cet appareil n’a pas de clé d’accès pour cela. Réessayez ; si le "
                + "compte n’en a aucune, continuez sans.",
            .confirmOver: "C’est terminé. Recommencez dans l’application.",
            .codeSent: "Si un compte a cette adresse, un code est en route. Saisissez ici ses six chiffres.",
            .codeWrong: "Ce code est faux ou n’est plus valable. Saisissez les six chiffres du dernier e-mail, ou "
                + "envoyez un autre code.",

            .noPasskeys: "Ce navigateur ne peut pas utiliser de clés d’accès ici. Mettez-le à jour, ou ouvrez "
                + "la page "
                + "en https dans un autre.",
            .needsHTTPS: "Un navigateur ne peut pas le faire en http simple. Ouvrez cette page en https.",
            .nameMissing: "Saisissez d’abord un nom.",
            .algorithmMissing: "Choisissez au moins un algorithme.",
            .emailWrong: "Saisissez votre adresse e-mail, comme ada@example.com.",
            .nameTaken: "Quelqu’un a ce nom. Si c’est vous, connectez-vous d’abord ; sinon choisissez-en un autre.",
            .lastPasskey: "C’est votre seule clé d’accès. Ajoutez-en une autre avant de la supprimer.",
            .passkeyGone: "Cette clé d’accès n’existe plus. Rechargez la page.",

            .cancelled: "Rien n’a été créé : c’était annulé ou pas permis. Réessayez quand vous serez prêt.",
            .cancelledSignIn: "Vous n’êtes pas connecté : c’était annulé, ou cet appareil n’a pas de clé "
                + "d’accès pour "
                + "cela. Réessayez, choisissez un autre appareil, ou créez une clé d’accès.",
            .tookTooLong: "Cela a pris trop de temps. Réessayez, et répondez à votre appareil pendant qu’il demande.",
            .alreadyRegistered: "Cet appareil a déjà une clé d’accès pour ce nom. Connectez-vous avec elle, ou "
                + "utilisez un autre appareil.",
            .alreadyOnThisDevice: "Cet appareil a déjà une de vos clés d’accès. Utilisez un autre appareil ou "
                + "une clé "
                + "de sécurité.",
            .wrongAddress: "Les clés d’accès de « {rp} » ne servent pas à « {host} ». Ouvrez cette page à {rp}, ou "
                + "demandez à l’exploitant de vérifier le RP ID.",
            .notSupported: "Votre appareil ne connaît aucun de ces algorithmes. Choisissez-en d’autres, ou un autre "
                + "appareil.",
            .notCapable: "Votre appareil ne peut pas ce que demandent les réglages. Changez-les, ou utilisez un "
                + "autre "
                + "appareil.",
            .deviceFault: "Votre appareil a signalé une panne. Réessayez, ou utilisez-en un autre.",

            .notVerified: "Le serveur ne l’a pas accepté. Réessayez.",
            .unknownPasskey: "Le serveur ne connaît pas cette clé d’accès ; elle a peut-être été supprimée. "
                + "Utilisez-en une autre, ou créez-en une.",
            .challengeOver: "Cela a pris plus de temps que le serveur n’attend. Réessayez.",
            .notAccepted: "Le serveur ne l’a pas accepté : {reason}",
            .registrationClosed: "On ne peut pas s’inscrire ici soi-même. Demandez un compte à l’exploitant.",
            .notListed: "Le serveur ne crée pas de clés d’accès pour ce domaine ou ce nom (RP). Laissez les deux "
                + "champs vides.",
            .badName: "Ce nom ne convient pas. Choisissez-en un plus court, sur une ligne et sans caractères cachés.",
            .badUsername: "Ici, un nom a au plus 64 lettres, chiffres, espaces et . _ - + ', ou la forme d’une "
                + "adresse "
                + "e-mail.",
            .tooManyPasskeys: "Vous avez autant de clés d’accès qu’il est possible. Supprimez-en une, puis ajoutez "
                + "celle-ci.",
            .signInFirst: "Connectez-vous d’abord.",
            .signInAgain: "Votre connexion est trop ancienne pour cela. Reconnectez-vous, puis revenez.",
            .signInByIt: "Pour la retirer, connectez-vous avec cette clé d’accès, ou avec une autre de plus "
                + "d’un jour.",
            .tooMany: "Trop d’essais. Attendez {seconds} s, puis réessayez.",
            .serverDown: "Le serveur rencontre une panne. Réessayez dans un instant.",
            .noAnswer: "Le serveur ne répond pas. Réessayez.",
            .offline: "Le serveur est injoignable. Vérifiez la connexion, puis réessayez.",
            .somethingWrong: "Un problème est survenu. Rechargez la page.",
        ]
    )
}
