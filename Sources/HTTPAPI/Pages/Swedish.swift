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
                    "Ingen har loggats in. Du behöver inte göra något mer. Händer det igen, säg till din administratör.",
                button: nil
            ),
            .over: PageText(
                title: "Länken gäller inte längre",
                body: "Inloggningen är avslutad, eller så har tiden gått ut. Börja en ny i appen.",
                button: nil
            ),
            .crossSite: PageText(
                title: "Inte startad",
                body:
                    "En annan webbplats bad om ansiktskontrollen. Håller du på att logga in, gå tillbaka till appen och "
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
        ],
        confirm: ConfirmText(
            title: "Är det du?",
            body:
                "Fortsätt bara om du själv just startade inloggningen. Ingen kommer någonsin att be dig öppna den här "
                + "sidan åt dem.",
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
            denial: "Det var inte jag"
        ),
        signedIn: .swedish,
        mail: .swedish
    )
}
