extension Texts.SiteText {
    static let swedish = Texts.SiteText(
        words: [
            .skip: "Hoppa till innehållet",
            .pages: "Sidor",
            .needsScript: "Sidan behöver JavaScript: med det skapar och använder webbläsaren lösennycklar.",
            .optional: "(valfritt)",
            .settings: "Alla inställningar",
            .signUp: "Skapa en lösennyckel",
            .signIn: "Logga in",
            .signOut: "Logga ut",
            .myPasskeys: "Mina lösennycklar",
            .signedIn: "Du är inloggad",
            .tryAgain: "Försök igen",

            .homeTitle: "Logga in utan lösenord",
            .homeLead: "Med en lösennyckel eller med ditt ansikte: inget att minnas, och inget att skriva in på en "
                + "falsk sida.",
            .signUpLink: "Skapa",
            .passkeysLink: "Nycklar",
            .signUpWay: "Välj ett namn; din enhet behåller nyckeln.",
            .signInWay: "Med en lösennyckel som du har.",
            .passkeysWay: "Se dem, byt namn på dem, ta bort dem.",
            .faceLink: "Ansikte",
            .faceWay: "En ansiktskontroll, här eller i din telefon.",
            .usersTitle: "Vilka som är registrerade",
            .usersHint: "Alla kan se den här listan. Den som driver servern har slagit på den för att prova.",

            .signUpLead: "Din enhet ber sedan om ditt ansikte, ditt finger eller sin pinkod, och behåller "
                + "lösennyckeln.",
            .username: "Namn",
            .signUpHint: "Vad du heter här. Ser det ut som en e-postadress är det ändå bara ett namn, och får "
                + "ingen post. Logga in först om du vill lägga till en lösennyckel till ett namn som du "
                + "har.",
            .havePasskey: "Har du redan en lösennyckel?",
            .created: "Din lösennyckel är klar",
            .kind: "Finns",
            .credentialID: "Dess id",
            .signInNow: "Prova: logga in",

            .attestationType: "Attestering",
            .userVerification: "Användarverifiering",
            .residentKey: "Nyckel i enheten (resident key)",
            .authenticatorAttachment: "Autentiserare",
            .preferredAuthenticatorType: "Helst",
            .timeout: "Tidsgräns i millisekunder",
            .algorithms: "Algoritmer",
            .customRpName: "Webbplatsens namn (RP)",
            .customRpID: "Lösennyckelns domän (RP ID)",
            .customRpHint: "Bara en domän som servern tillåter och som sidan hör till.",

            .signInTitle: "Logga in med en lösennyckel",
            .signInLead: "Din enhet ber om ditt ansikte, ditt finger eller sin pinkod.",
            .signInHint: "Lämna det tomt för att välja bland alla dina lösennycklar.",
            .signInButton: "Använd en lösennyckel",
            .noPasskeyYet: "Ingen lösennyckel än?",
            .byMail: "Få en kod via e-post",
            .mailTitle: "Logga in med en kod via e-post",
            .mailLead: "För ett konto som har en e-postadress: vägen till en första lösennyckel, och till en ny när "
                + "ingen är kvar.",
            .sendCode: "Skicka en kod",
            .code: "Koden från e-postbrevet",

            .addPasskey: "Lägg till en lösennyckel",
            .addHint: "Med en andra lösennyckel, på en annan enhet eller en säkerhetsnyckel, kommer du in om den här "
                + "går förlorad.",
            .strangerTitle: "Logga in för att se dina lösennycklar",
            .strangerLead: "De visas bara för dig.",
            .removalTitle: "Ta bort lösennyckeln?",
            .removalLead: "Den loggar inte in dig längre, och andra som är inloggade med den loggas ut. "
                + "Ta även bort det som din enhet sparar av den.",
            .remove: "Ta bort",
            .keep: "Behåll den",

            .faceTitle: "Logga in med ditt ansikte",
            .faceLead: "För dig som har ett konto med ett registrerat ansikte.",
            .email: "E\u{2011}postadress",
            .where: "Var vill du göra kontrollen?",
            .here: "På den här enheten",
            .elsewhere: "I min telefon",
            .withPasskey: "Logga in med en lösennyckel i stället",
            .waitingTitle: "Väntar på ansiktskontrollen",
            .hereLead: "Kontrollen har öppnats i en egen flik. När den är klar går den här sidan vidare av sig "
                + "själv.",
            .elsewhereLead: "Öppna koden med telefonens kamera.",
            .codeLabel: "QR-kod med ansiktskontrollens adress",
            .numberLead: "Skriv sedan in det här talet där:",
            .openScan: "Öppna ansiktskontrollen",
            .stepOpen: "Öppna kontrollen",
            .stepStart: "Kontrollen startas",
            .stepScan: "Visa ditt ansikte",
            .stepJudge: "Kontrollen granskas",
            .giveUp: "Avbryt",
            .notSignedIn: "Du loggades inte in",
            .faceDone: "Med en lösennyckel på enheten behövs ingen kontroll nästa gång.",
        ],
        scriptWords: [
            .starting: "Ett ögonblick …",
            .followTheDevice: "Följ det som din enhet ber om.",
            .checking: "Kontrollerar …",
            .signedInAs: "Inloggad som {name}",
            .signedOut: "Du är utloggad.",

            .synced: "Synkroniserad",
            .syncable: "Inte synkroniserad än",
            .onOneDevice: "Bara på en enhet",
            .createdAt: "Skapad {day}",
            .lastUsed: "Senast använd {day}",
            .neverUsed: "Inte använd än",
            .unnamed: "Lösennyckel från {day}",
            .onePasskey: "1 lösennyckel",
            .passkeys: "{n} lösennycklar",
            .nobody: "Ingen än. Skapa den första lösennyckeln.",
            .noneYet: "Det finns ingen än. Lägg till en.",
            .rename: "Byt namn",
            .renameNamed: "Byt namn på {name}",
            .nameOfPasskey: "Lösennyckelns namn",
            .save: "Spara",
            .cancel: "Avbryt",
            .remove: "Ta bort",
            .removeNamed: "Ta bort {name}",
            .renamed: "Den heter nu ”{name}”.",
            .removed: "”{name}” togs bort.",
            .added: "Lösennyckeln lades till.",

            .faceCreated: "Väntar på att du öppnar kontrollen.",
            .faceOpened: "Kontrollen har öppnats och startas.",
            .faceScanning: "Kontrollen pågår. Titta in i kameran där.",
            .faceJudged: "Kontrollen granskas.",
            .providerDegraded: "Ansiktskontrollen svarar långsamt just nu. Din inloggning fortsätter.",
            .timeLeft: "{time} kvar",
            .faceCancelled: "Inloggningen avbröts.",
            .faceOver: "Den här inloggningen är över. Börja om.",

            .cancelledConfirm: "Det avbröts, eller så har enheten ingen lösennyckel för det. Försök igen; om kontot "
                + "inte har någon kan du fortsätta utan.",
            .confirmOver: "Det här är över. Börja om i appen.",
            .codeSent: "Om ett konto har den här adressen är en kod på väg. Skriv dess sex siffror här.",
            .codeWrong: "Koden är fel eller gäller inte längre. Skriv de sex siffrorna i det senaste brevet, eller "
                + "skicka en ny kod.",

            .noPasskeys: "Webbläsaren kan inte använda lösennycklar här. Uppdatera den, eller öppna sidan över https "
                + "i en annan.",
            .needsHTTPS: "En webbläsare kan inte göra det över vanlig http. Öppna sidan över https.",
            .nameMissing: "Skriv ett namn först.",
            .algorithmMissing: "Välj minst en algoritm.",
            .emailWrong: "Skriv din e-postadress, till exempel ada@example.com.",
            .nameTaken: "Någon har redan det namnet. Är det du, logga in först; välj annars ett annat.",
            .lastPasskey: "Det här är din enda lösennyckel. Lägg till en annan innan du tar bort den.",
            .passkeyGone: "Lösennyckeln finns inte längre. Ladda om sidan.",

            .cancelled: "Inget skapades: det avbröts eller tilläts inte. Försök igen när du är redo.",
            .cancelledSignIn: "Du loggades inte in: det avbröts, eller så har enheten ingen lösennyckel för det. "
                + "Försök igen, välj en annan enhet eller skapa en lösennyckel.",
            .tookTooLong: "Det tog för lång tid. Försök igen, och svara din enhet medan den frågar.",
            .alreadyRegistered: "Enheten har redan en lösennyckel för det namnet. Logga in med den, eller använd en "
                + "annan enhet.",
            .alreadyOnThisDevice: "Enheten har redan en av dina lösennycklar. Använd en annan enhet eller en "
                + "säkerhetsnyckel.",
            .wrongAddress: "Lösennycklar för ”{rp}” fungerar inte på ”{host}”. Öppna sidan på {rp}, eller be den som "
                + "driver servern att kontrollera RP ID.",
            .notSupported: "Din enhet kan ingen av algoritmerna. Välj fler, eller använd en annan enhet.",
            .notCapable: "Din enhet klarar inte det som inställningarna kräver. Ändra dem, eller använd en annan "
                + "enhet.",
            .deviceFault: "Din enhet rapporterade ett fel. Försök igen, eller använd en annan.",

            .notVerified: "Servern godtog det inte. Försök igen.",
            .unknownPasskey: "Servern känner inte till lösennyckeln; den kan ha tagits bort. Använd en annan, eller "
                + "skapa en.",
            .challengeOver: "Det tog längre tid än servern väntar. Försök igen.",
            .notAccepted: "Servern godtog det inte: {reason}",
            .registrationClosed: "Här kan ingen registrera sig själv. Be den som driver servern om ett konto.",
            .notListed: "Servern skapar inga lösennycklar för den domänen eller det namnet (RP). Lämna båda fälten "
                + "tomma.",
            .badName: "Namnet går inte att använda. Välj ett kortare, på en rad och utan dolda tecken.",
            .badUsername: "Ett namn här har högst 64 bokstäver, siffror, mellanslag och . _ - + ', eller ser ut "
                + "som en "
                + "e-postadress.",
            .tooManyPasskeys: "Du har så många lösennycklar som går. Ta bort en och lägg sedan till den här.",
            .signInFirst: "Logga in först.",
            .signInAgain: "Det var för länge sedan du loggade in för det här. Logga in igen och kom sedan tillbaka.",
            .signInByIt: "Logga in med den lösennyckeln för att ta bort den, eller med en som är äldre än ett dygn.",
            .tooMany: "För många försök. Vänta {seconds} s och försök sedan igen.",
            .serverDown: "Servern har ett eget fel. Försök igen om en stund.",
            .noAnswer: "Servern svarar inte. Försök igen.",
            .offline: "Servern går inte att nå. Kontrollera anslutningen och försök sedan igen.",
            .somethingWrong: "Något gick fel. Ladda om sidan.",
        ]
    )
}
