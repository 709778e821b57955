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
            title: "Bekräfta din e-postadress",
            body:
                "Ett konto har öppnats med den här adressen. Om den är din, bekräfta den. Allt som tidigare har loggat "
                + "in på kontot eller lagts till tas då bort: logga in igen efteråt.",
            button: "Bekräfta adressen"
        ),
        proven: .init(
            title: "Din adress är bekräftad",
            body: "Du kan stänga sidan och logga in.",
            button: nil
        ),
        proofOver: .init(
            title: "Länken gäller inte längre",
            body: "Den har gått ut, eller så har kontot inte längre den här adressen. Logga in med en kod via e-post.",
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
