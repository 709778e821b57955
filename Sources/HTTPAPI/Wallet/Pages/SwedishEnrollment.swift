extension Texts {
    static let swedishEnrollment: [EnrollmentWord: String] = [
        .wallet: "Plånbok för",
        .bank: "Bank",
        .cardCount: "Antal kort",
        .card: "Kort",
        .questionTitle: "Lägga till korten från % i den här plånboken?",
        .questionLead: "Du har loggat in hos %. Titta noga på vems plånbok korten ska in i.",
        .questionNoCards: "Du har loggat in hos %, som inte har något kort för dig. Titta noga på vems plånbok "
            + "banken ska läggas till i.",
        .fraud: "Gå bara vidare om det är din egen plånbok och du just har börjat i din egen app. Om någon skickade "
            + "dig hit hamnar dina kort hos dem: avbryt.",
        .add: "Lägg till i den här plånboken",
        .cancel: "Avbryt",
        .addedTitle: "Banken är tillagd",
        .addedLead: "Korten från % finns i din plånbok. Du kan stänga sidan.",
        .addedNoCards: "% är tillagd men har inget kort för dig än. Uppdatera banken i plånboken när du har ett.",
        .cancelledTitle: "Banken lades inte till",
        .cancelledLead: "Du avbröt, och inget från % finns i din plånbok. Du kan börja om när du vill.",
        .unavailableTitle: "Banken svarar inte",
        .unavailableLead: "% går inte att nå just nu, så inget kort lades till. Vänta några minuter och börja om i "
            + "plånboken.",
        .refusedTitle: "Banken sa nej",
        .refusedLead: "% släppte inte in din plånbok, så inget kort lades till. Börja om i plånboken; om det "
            + "fortsätter, fråga banken.",
        .expiredTitle: "Det tog för lång tid",
        .expiredLead: "Du har tio minuter på dig till % och tillbaka. Börja om i plånboken.",
        .usedTitle: "Det var redan klart",
        .usedLead: "Det här svaret från % togs emot en gång och fungerar inte igen. Se i plånboken om korten finns "
            + "där; börja annars om.",
        .accountTitle: "Du är utloggad",
        .accountLead: "Inget från % lades till, för inloggningen som började det är över. Logga in och börja om.",
        .strangeTitle: "Det här leder ingenstans",
        .unknownLead: "Ingen väntar här på det här svaret från en bank; det kan vara över för länge sedan. Inget "
            + "lades till. Börja om i plånboken.",
        .otherBankLead: "En annan bank svarar än den som tillfrågades, så inget lades till. Börja om i plånboken; "
            + "om det fortsätter, säg till den som driver webbplatsen.",
        .otherBrowserLead: "Det här började i en annan webbläsare, så inget lades till. Om någon skickade länken "
            + "till dig vill de ha dina kort i sin plånbok. Börja själv, i din egen.",
        .otherAccountLead: "Du är inloggad här med ett annat konto än det som började, så inget lades till. Om "
            + "någon skickade länken till dig vill de ha dina kort i sin plånbok.",
        .crossSiteTitle: "Det här kom inte från vår sida",
        .crossSiteLead: "En annan webbplats skickade dig hit, och inget gjordes. Lägg till en bank genom att börja "
            + "i plånboken.",
    ]
}
