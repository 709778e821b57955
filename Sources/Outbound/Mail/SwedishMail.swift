import Accounts

extension MailTexts {
    static let swedish = MailTexts(
        language: "sv",
        code: LinkText(
            subject: "Din inloggningskod för %",
            body: "Skriv koden på enheten där du loggar in på %:",
            link: "Visa koden på en sida",
            validity: "Koden fungerar en gång, i #.",
            unasked:
                "Håller du inte på att logga in, bortse från mejlet och ge inte koden till någon. Vi ber aldrig "
                + "om den."
        ),
        proof: LinkText(
            subject: "Bekräfta din e-postadress för %",
            body: "Någon har använt adressen för ett konto hos %. Var det du, bekräfta att den är din:",
            link: "Bekräfta adressen",
            validity: "Länken gäller i #.",
            unasked: "Var det inte du, bortse från mejlet: adressen förblir obekräftad."
        ),
        proofCode: CodeText(
            lead: "Länken loggar ut alla appar. Vill du förbli inloggad, skriv i stället in den här koden i "
                + "appen för %:",
            warning: "Skriv den bara i en app där du själv öppnade kontot eller bad om adressen, och ge den "
                + "inte till "
                + "någon."
        ),
        provenInApp: NoticeText(
            subject: "Din e-postadress för % är bekräftad",
            body: "Din adress bekräftades med en kod som skrevs in på den här enheten: #. Den förblir inloggad. "
                + "Allt annat "
                + "som tidigare var inloggat eller inställt för ditt konto hos % har tagits bort."
        ),
        namelessDevice: "en enhet utan namn",
        notices: [
            .passkeyAdded: NoticeText(
                subject: "En lösennyckel har lagts till i ditt konto hos %",
                body: "Från och med nu kan lösennyckeln logga in på ditt konto hos %."
            ),
            .passkeyRemoved: NoticeText(
                subject: "En lösennyckel har tagits bort från ditt konto hos %",
                body: "Lösennyckeln kan inte längre logga in på ditt konto hos %. "
                    + "Kontots andra lösennycklar gäller fortfarande. "
                    + "Sessioner som den borttagna har öppnat på andra håll är avslutade."
            ),
            .deviceKeyAdded: NoticeText(
                subject: "En enhet har ställts in för ditt konto hos %",
                body: "Från och med nu kan enheten logga in på ditt konto hos % med sin egen nyckel."
            ),
            .deviceKeyReplaced: NoticeText(
                subject: "En enhets nyckel har bytts i ditt konto hos %",
                body: "En enhet som loggar in på ditt konto hos % har en ny nyckel. Den gamla fungerar inte längre."
            ),
            .deviceAdded: NoticeText(
                subject: "En enhet har lagts till i ditt konto hos %",
                body: "En enhet har lagts till i ditt konto hos % och känns igen från och med nu. "
                    + "Den kan logga in, och det som den påbörjar räknas som ditt."
            ),
            .deviceCredentialReplaced: NoticeText(
                subject: "En enhet har registrerats på nytt i ditt konto hos %",
                body: "En enhet i ditt konto hos % har registrerats på nytt och känns igen från och med nu. "
                    + "Det som den kändes igen på förut fungerar inte längre."
            ),
            .faceEnrolled: NoticeText(
                subject: "Ett ansikte har registrerats för ditt konto hos %",
                body: "Från och med nu kan en ansiktskontroll logga in på ditt konto hos %."
            ),
            .passwordChanged: NoticeText(
                subject: "Lösenordet för ditt konto hos % har ändrats",
                body: "Lösenordet för ditt konto hos % har satts eller ändrats. Ett gammalt fungerar inte längre."
            ),
            .emailChanged: NoticeText(
                subject: "E-postadressen för ditt konto hos % har ändrats",
                body: "Ditt konto hos % har nu en annan e-postadress. Den här kan inte längre logga in."
            ),
            .earlierAccessRemoved: NoticeText(
                subject: "Tidigare åtkomst till ditt konto hos % har tagits bort",
                body: "Din adress bekräftades från en ny enhet. Allt som tidigare var inloggat eller inställt "
                    + "för ditt "
                    + "konto hos % har tagits bort."
            ),
        ],
        alarm: "Var det du behöver du inte göra något. Var det inte du kan någon annan ha tillgång till ditt konto: "
            + "säg genast till dem som driver %.",
        test: NoticeText(
            subject: "Ett testmejl från %",
            body: "Kan du läsa det här kommer mejl från % fram. En administratör bad om mejlet."
        ),
        footer: "% skickade mejlet automatiskt. Svar läses kanske inte.",
        units: Units(minute: "minut", minutes: "minuter", hours: "timmar")
    )
}
