import Hummingbird
import VestibuleTokens
import VestibuleTokensHummingbird

struct OrdersContext: AccessTokenRequestContext {
    var coreContext: CoreRequestContextStorage
    var accessToken: AccessToken?
    init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }
}

func ordersRouter(issuer: String) throws -> Router<OrdersContext> {
    let verifier = try AccessTokenVerifier(issuer: issuer, audience: "bbms")
    let router = Router(context: OrdersContext.self)
    router.group("orders")
        .add(middleware: AccessTokenMiddleware(verifier))
        .get { _, context in
            let token = try context.requireAccessToken()
            return "The orders of \(token.account), signed in at \(token.authenticatedAt)."
        }
    return router
}
