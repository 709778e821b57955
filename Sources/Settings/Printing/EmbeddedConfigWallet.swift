extension EmbeddedConfig {
    /// The part of ``main`` about the wallet: whose cards, and what is paid with them.
    static let wallet = #"""
        # Banks whose cards people can bring into their wallet, by name; apps know them by it as bsimId.
        # banks:
        #   td-bsim:
        #     # What people are shown as the bank's name.
        #     name: TD Bank Simulator
        #     # A picture for apps to show; by default none.
        #     logo: https://bank.example.com/logo.png
        #     # Where people let the wallet in.
        #     authorizeURL: https://bank.example.com/authorize
        #     # Where the bank trades codes and refresh tokens.
        #     tokenURL: https://bank.example.com/token
        #     # Where the bank lists the cards, as JSON. (Each with a token reference, the last four digits and the network.)
        #     cardsURL: https://bank.example.com/cards
        #     # What the bank calls this server. (There, its redirect URI is publicURL with /api/enrollment/callback/td-bsim.)
        #     clientID: vestibule
        #     # The secret that the bank gave this server; goes with post and basic.
        #     clientSecret: env:TD_BSIM_CLIENT_SECRET
        #     # Where that secret goes, if there is one. (none, post or basic; by default post, which is the form.)
        #     authentication: post
        #     # What the bank is asked for.
        #     scopes: [cards]
        #     # The issuer that the bank names in its answers (RFC 9207); others are refused then.
        #     issuer: https://bank.example.com
        #     # How long one request to the bank may take.
        #     timeout: 5s

        # The wallet: how enrolments at banks end, and what may be paid.
        wallet:
          # Where in apps an enrolment at a bank may end; the first is that of apps that name none.
          deepLinks: [mwsim://enrollment/callback]
          # Whether an enrolment that an app began asks at its end whose wallet the cards belong into. (By default true. The
          # published app does not expect a page there.)
          confirmEnrollment: false
          # What may be paid with the wallet's cards.
          payments:
            # From the request for a payment to the last moment to confirm it.
            lifetime: 5m
            # From a payment's confirmation to the last moment to spend its card token.
            cardTokenLifetime: 2m
            # Payments of one account that wait at a time.
            openPerAccount: 10
            # Payments that one account may begin in 24 hours.
            perDay: 100
            # The largest payment in each currency that is paid in; by default any, without a bound. (Each like 1000.00 EUR;
            # currencies that are not in the list are not paid in.)
            largest: []


        """#
}
