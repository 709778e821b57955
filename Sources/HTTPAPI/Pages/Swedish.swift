import Operations

extension Texts {
    static let swedish = Texts(
        language: "sv",
        failures: [
            .declined: "Inloggningen nekades.",
            .deniedNotMe: "Inloggningen stoppades: någon sade att den inte var deras.",
            .notMatched: "Ansiktet stämde inte. Försök igen i bättre ljus.",
            .livenessFailed: "Kontrollen såg inget levande ansikte. Försök igen i bättre ljus och utan mask.",
            .tooManyAttempts: "Det blev för många försök. Försök igen senare.",
            .expired: "Inloggningen blev inte klar i tid. Börja om.",
            .canceled: "Inloggningen avbröts.",
            .superseded: "En nyare inloggning startades.",
            .providerError: "Ansiktskontrollen misslyckades hos leverantören. Börja om.",
            .providerUnavailable: "Ansiktskontrollen gick inte att nå. Försök igen om några minuter.",
            .accountBlocked: "Kontot kan inte logga in just nu. Fråga din administratör.",
        ],
        pages: [
            .landing: PageText(
                title: "Fortsätt till ansiktskontrollen",
                body: "Du skickas vidare till ansiktskontrollen. Låt appen som skickade dig hit vara öppen.",
                button: "Starta kontrollen"
            ),
            .starting: PageText(
                title: "Ett ögonblick",
                body: "Ansiktskontrollen startas. Händer ingenting, fortsätt nedan.",
                button: "Fortsätt"
            ),
            .providerDown: PageText(
                title: "Ansiktskontrollen svarar inte",
                body: "Tjänsten går inte att nå just nu. Din inloggning är fortfarande öppen: försök igen.",
                button: "Försök igen"
            ),
            .notOnThisDevice: PageText(
                title: "Vi kunde inte starta kontrollen på den här enheten",
                body: "Logga in på ett annat sätt först, sedan fungerar ansiktskontrollen här.",
                button: nil
            ),
            .tooManyRestarts: PageText(
                title: "Startad för många gånger",
                body: "Inloggningen startades från för många ställen. Börja en ny i appen.",
                button: nil
            ),
            .tooManyNumbers: PageText(
                title: "Siffrorna var fel tre gånger",
                body: "Inloggningen har stoppats. Är den din, börja en ny i appen.",
                button: nil
            ),
            .denied: PageText(
                title: "Inloggningen har stoppats",
                body:
                    "Ingen har loggats in. Du behöver inte göra något mer. Händer det igen, säg till din "
                    + "administratör.",
                button: nil
            ),
            .over: PageText(
                title: "Länken gäller inte längre",
                body: "Inloggningen är avslutad, eller så har tiden gått ut. Börja en ny i appen.",
                button: nil
            ),
            .signInAgain: PageText(
                title: "Logga in igen först",
                body: "För att registrera ett ansikte måste inloggningen vara yngre än tio minuter. Stäng "
                    + "sidan, logga ut i "
                    + "appen och logga in igen. Registrera sedan ditt ansikte.",
                button: nil
            ),
            .addressFirst: PageText(
                title: "Visa först att adressen är din",
                body:
                    "För att registrera ett ansikte måste din e-postadress vara bekräftad. Stäng sidan och följ länken "
                    + "i mejlet som vi skickade till dig. Registrera sedan ditt ansikte i appen.",
                button: nil
            ),
            .tryLater: PageText(
                title: "Det går inte just nu",
                body: "Ditt ansikte kan inte registreras just nu. Stäng sidan, vänta en minut och försök igen i appen.",
                button: nil
            ),
            .acceptedForService: PageText(
                title: "Din kontroll godkändes",
                body: "Tjänsten som frågade dig går vidare. Du kan stänga den här sidan.",
                button: nil
            ),
            .crossSite: PageText(
                title: "Inte startad",
                body:
                    "En annan webbplats bad om ansiktskontrollen. Håller du på att logga in, gå tillbaka till "
                    + "appen och "
                    + "öppna länken därifrån.",
                button: nil
            ),
            .accepted: PageText(
                title: "Kontrollen godkändes",
                body: "Gå tillbaka till appen: den loggar in dig. Du kan stänga den här sidan.",
                button: nil
            ),
            .failed: PageText(
                title: "Du loggades inte in",
                body: "Gå tillbaka till appen.",
                button: nil
            ),
            .comingBack: PageText(
                title: "Tillbaka från kontrollen",
                body: "Kontrollen granskas. Händer ingenting, fortsätt nedan.",
                button: "Fortsätt"
            ),
            .underWay: PageText(
                title: "Kontrollen granskas",
                body: "Kontrollen granskas. Händer ingenting, fortsätt nedan.",
                button: "Fortsätt"
            ),
            .elsewhere: PageText(
                title: "Tillbaka till appen",
                body: "Gå tillbaka till appen: den fortsätter därifrån. Du kan stänga sidan.",
                button: nil
            ),
            .serverDown: PageText(
                title: "Det går inte att fortsätta just nu",
                body: "Servern har ett fel. Din inloggning är fortfarande öppen: försök igen om en stund.",
                button: "Försök igen"
            ),
            .busy: PageText(
                title: "För många på en gång",
                body: "För många ansiktskontroller har begärts från ditt nätverk. Din inloggning är fortfarande "
                    + "öppen: försök igen om en stund.",
                button: "Försök igen"
            ),
            .serverFault: PageText(
                title: "Något gick fel här",
                body: "Det är inte ditt fel. Börja en ny inloggning i appen.",
                button: nil
            ),
            .passkeyNeeded: PageText(
                title: "Här behövs en lösennyckel",
                body: "Gå tillbaka och använd en lösennyckel som hör till kontot. Om du inte har någon här, logga "
                    + "först in på ett annat sätt.",
                button: "Gå tillbaka"
            ),
            .passkeyRefused: PageText(
                title: "Lösennyckeln godtogs inte",
                body: "Den hör inte till kontot, eller så tog det för lång tid. Gå tillbaka och använd en "
                    + "lösennyckel som hör till kontot; om du inte har någon här, logga först in på ett annat sätt.",
                button: "Gå tillbaka"
            ),
        ],
        confirm: ConfirmText(
            title: "Är det du?",
            body:
                "Fortsätt bara om du själv just startade inloggningen. Ingen kommer någonsin att be dig öppna "
                + "den här "
                + "sidan åt dem.",
            asked:
                "En tjänst ber dig att logga in. Fortsätt bara om du har kontakt med den just nu och väntar dig "
                + "detta.",
            askedInWords:
                "En tjänst ber dig att logga in. Fortsätt bara om du har kontakt med den just nu och den visar eller "
                + "säger just orden nedan.",
            client: "Logga in på",
            account: "För",
            address: "Startad från",
            agent: "Med",
            started: "När",
            unknown: "okänt",
            justNow: "för mindre än en minut sedan",
            minutesAgo: "för % min sedan",
            number: "Siffrorna i appen",
            numberHint: "Skriv de två siffror som appen visar.",
            numberMissing: "Skriv de två siffror som appen visar.",
            numberWrong: "Det är inte siffrorna som appen visar. Försök kvar: %.",
            button: "Fortsätt",
            denial: "Det var inte jag",
            passkey: Texts.PasskeyText(
                hint: "Om kontot har en lösennyckel går det bara att fortsätta med den.",
                with: "Fortsätt med en lösennyckel",
                without: "Fortsätt utan lösennyckel",
                needsScript: "Lösennycklar behöver JavaScript, som inte körs här. Utan det kan du bara fortsätta om "
                    + "kontot inte har någon lösennyckel."
            )
        ),
        signedIn: .swedish,
        mail: .swedish,
        logout: .swedish,
        authorize: .swedish,
        site: .swedish,
        authorization: swedishSignIn
    )
}

extension Texts.SignedInText {
    static let swedish = Texts.SignedInText(
        failures: [
            .declined: "Begäran nekades.",
            .deniedNotMe: "Begäran stoppades: någon sade att den inte var deras.",
            .expired: "Begäran blev inte klar i tid. Börja om.",
            .canceled: "Begäran avbröts.",
            .superseded: "En nyare begäran startades.",
            .accountBlocked: "Kontot kan inte användas härifrån just nu. Fråga din administratör.",
        ],
        pages: [
            .providerDown: Texts.PageText(
                title: "Ansiktskontrollen svarar inte",
                body: "Tjänsten går inte att nå just nu. Ingenting har gått förlorat: försök igen.",
                button: "Försök igen"
            ),
            .tooManyRestarts: Texts.PageText(
                title: "Startad för många gånger",
                body: "Begäran startades från för många ställen. Börja om i appen.",
                button: nil
            ),
            .tooManyNumbers: Texts.PageText(
                title: "Siffrorna var fel tre gånger",
                body: "Begäran har stoppats. Är den din, börja om i appen.",
                button: nil
            ),
            .denied: Texts.PageText(
                title: "Begäran har stoppats",
                body: "Ingenting har godkänts eller ändrats. Du behöver inte göra något mer. Händer det "
                    + "igen, säg till din administratör.",
                button: nil
            ),
            .over: Texts.PageText(
                title: "Länken gäller inte längre",
                body: "Begäran är avslutad, eller så har tiden gått ut. Börja om i appen.",
                button: nil
            ),
            .crossSite: Texts.PageText(
                title: "Inte startad",
                body: "En annan webbplats bad om ansiktskontrollen. Om du själv bad om den, gå tillbaka "
                    + "till appen och öppna länken därifrån.",
                button: nil
            ),
            .accepted: Texts.PageText(
                title: "Kontrollen godkändes",
                body: "Gå tillbaka till appen. Du kan stänga den här sidan.",
                button: nil
            ),
            .failed: Texts.PageText(
                title: "Det gick inte",
                body: "Gå tillbaka till appen.",
                button: nil
            ),
            .serverDown: Texts.PageText(
                title: "Det går inte att fortsätta just nu",
                body: "Servern har ett fel. Ingenting har gått förlorat: försök igen om en stund.",
                button: "Försök igen"
            ),
            .busy: Texts.PageText(
                title: "För många på en gång",
                body: "För många ansiktskontroller har begärts från ditt nätverk. Ingenting har gått "
                    + "förlorat: försök igen om en stund.",
                button: "Försök igen"
            ),
            .serverFault: Texts.PageText(
                title: "Något gick fel här",
                body: "Det är inte ditt fel. Börja om i appen.",
                button: nil
            ),
            .passkeyNeeded: Texts.PageText(
                title: "Här behövs en lösennyckel",
                body: "Gå tillbaka och använd en lösennyckel som hör till kontot.",
                button: "Gå tillbaka"
            ),
            .passkeyRefused: Texts.PageText(
                title: "Lösennyckeln godtogs inte",
                body: "Den hör inte till kontot, eller så tog det för lång tid. Gå tillbaka och använd en "
                    + "lösennyckel som hör till kontot.",
                button: "Gå tillbaka"
            ),
        ],
        approval: Texts.ApprovalText(
            title: "Godkänner du det här?",
            body: "Fortsätt bara om du själv just bad om det. Ingen kommer någonsin att be dig "
                + "godkänna något åt dem.",
            amount: "Belopp",
            payee: "Till",
            client: "Begärt av",
            button: "Godkänn med ansiktet",
            payment: "Betalning med kortet som slutar på %"
        )
    )
}

extension Texts.MailPageText {
    static let swedish = Texts.MailPageText(
        code: .init(
            title: "Din inloggningskod",
            body: "Skriv den på enheten där du loggar in. Den fungerar bara där.",
            button: nil
        ),
        codeNote: "Den gäller i # min till. Ge den inte till någon: vi ber aldrig om den.",
        codeOver: .init(
            title: "Koden gäller inte längre",
            body: "Den har använts, en nyare har skickats eller så är dess tid ute. Be om en ny i appen.",
            button: nil
        ),
        proof: .init(
            // A no-break hyphen: a narrow page would break the line after the e.
            title: "Bekräfta din e\u{2011}postadress",
            body: "Ditt konto hos % ska få den här adressen. Om du har bett om det, bekräfta den. Du förblir "
                + "inloggad här.",
            button: "Bekräfta adressen"
        ),
        proofElsewhere: .init(
            title: "Bekräfta din e\u{2011}postadress",
            body:
                "Ett konto hos % ska få den här adressen. Om du bad om det i en app, skriv i stället in koden "
                + "från mejlet "
                + "där: appen förblir inloggad. Knappen loggar ut alla appar och webbläsare, även på den här "
                + "enheten, och "
                + "tar bort allt som lagts till tidigare. Logga in igen efteråt, med en kod via e-post.",
            button: "Bekräfta och logga ut överallt"
        ),
        password: .init(
            label: "Kontots lösenord",
            hint: "Med det tas inget bort. Lämna fältet tomt om det inte är du som har öppnat kontot.",
            wrong: "Det är inte kontots lösenord. Inget har ändrats: försök igen eller lämna fältet tomt."
        ),
        proven: .init(
            title: "Din adress är bekräftad",
            body: "Du kan stänga sidan och logga in.",
            button: nil
        ),
        proofOver: .init(
            title: "Länken gäller inte längre",
            body: "Den har gått ut, eller så har kontot inte längre den här adressen. Logga in med en kod via "
                + "e-post.",
            button: nil
        ),
        busy: .init(
            title: "För många på en gång",
            body: "För mycket har begärts från ditt nätverk. Försök igen om en stund.",
            button: nil
        ),
        serverDown: .init(
            title: "Det går inte att fortsätta just nu",
            body: "Servern har ett fel. Öppna länken igen om en stund.",
            button: nil
        )
    )
}

extension Texts.LogoutText {
    static let swedish = Self(
        ask: .init(
            title: "Logga ut?",
            body: "En app ber om att logga ut den här webbläsaren. "
                + "Andra appar och enheter förblir inloggade.",
            button: "Logga ut"
        ),
        client: "Appen",
        done: .init(title: "Du är utloggad", body: "Du kan stänga sidan.", button: nil),
        refused: .init(
            title: "Länken går inte att följa",
            body: "Appen bad om något som den inte är registrerad för. Ingen har loggats ut.",
            button: nil
        )
    )
}
