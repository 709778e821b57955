import Operations

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
        ],
        approval: Texts.ApprovalText(
            title: "Godkänner du det här?",
            body: "Fortsätt bara om du själv just bad om det. Ingen kommer någonsin att be dig "
                + "godkänna något åt dem.",
            amount: "Belopp",
            payee: "Till",
            client: "Begärt av",
            button: "Godkänn med ansiktet"
        )
    )
}
