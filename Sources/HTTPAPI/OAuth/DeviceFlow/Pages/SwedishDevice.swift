extension Texts {
    static let swedishDevice: [DeviceWord: String] = [
        .signInTitle: "Släpp in en enhet",
        .signInLead: "En enhet som är svår att skriva på, till exempel en tv, visar en kod och ber dig komma hit. Visa "
            + "först att det är du.",
        .signInGoOn: "Logga in och gå vidare",
        .askTitle: "Släpp in en enhet",
        .askLead: "Skriv koden som din enhet visar på skärmen.",
        .code: "Kod på enheten",
        .codeHint: "Åtta bokstäver. Stora bokstäver och bindestreck spelar ingen roll.",
        .codeWrong: "Ingen enhet väntar med den koden. Titta på skärmen igen: den kanske visar en ny nu.",
        .questionTitle: "Låta % använda ditt konto?",
        .compare: "Visar enheten framför dig exakt den här koden, just nu?",
        .warning: "Använd bara en kod som du läser på skärmen på din egen enhet.",
        .fraud: "Om någon har skickat koden eller länken till den här sidan till dig, eller läser upp den i telefon, "
            + "vill de in på ditt konto. Ingen som menar väl ber om det, och det gör aldrig vi.",
        .sameNetwork: "%, nätverket som du är på",
        .otherNetwork: "%, ett annat nätverk än ditt",
        .allowedTitle: "Enheten är insläppt",
        .allowedLead: "% går vidare av sig själv om ett ögonblick. Du kan stänga sidan.",
        .deniedTitle: "Enheten är inte insläppt",
        .deniedLead: "% får ingenting. Om någon bad dig om detta, gör inget annat som de ber om.",
        .triesTitle: "För många koder",
        .triesLead: "Du har provat för många koder. Vänta några minuter och skriv sedan den som din enhet visar då.",
    ]
}
