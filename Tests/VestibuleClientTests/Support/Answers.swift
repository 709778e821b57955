/// Bodies as the server sends them.
enum Answers {
    static let operation = "6f1c2a34-9d6e-4b1a-8a55-0c9f3f3f9a11"

    static func initiate(
        expiresIn: Int = 180,
        interval: Int = 2,
        page: String = "https://login.example.com/go/ticket",
        number: String? = nil,
        operation: String = operation
    ) -> String {
        let number = number.map { #","number":"\#($0)""# } ?? ""
        return #"""
            {"operationId":"\#(operation)","authIdUrl":"\#(page)","authUrl":"\#(page)","status":"pending",
             "operationExpiresIn":\#(expiresIn),"interval":\#(interval),"seq":1\#(number)}
            """#
    }

    static func pending(_ hint: String? = "created", seq: Int = 1, interval: Int? = 2) -> String {
        let hint = hint.map { #","hint":"\#($0)""# } ?? ""
        let interval = interval.map { #","interval":\#($0)"# } ?? ""
        return #"{"status":"pending","seq":\#(seq),"operationExpiresIn":100\#(hint)\#(interval)}"#
    }

    static let user = #"""
        {"id":"2b5d8a36-6a0e-4d0a-9a9a-0f1e2d3c4b5a","name":"Ada","email":"ada@example.com","department":"Lab",
         "role":"user","accessLevel":"basic"}
        """#

    static let completed = #"""
        {"status":"completed","seq":5,"user":\#(user),
         "tokens":{"accessToken":"access-1","refreshToken":"refresh-1","expiresIn":900,"tokenType":"Bearer"},
         "accessToken":"access-1","refreshToken":"refresh-1","expiresIn":900,"tokenType":"Bearer"}
        """#

    static let collected = #"{"status":"completed","seq":6,"delivery":"closed"}"#

    static func failed(_ code: String, retryable: Bool = true) -> String {
        #"""
        {"status":"failed","seq":4,"failure":{"code":"\#(code)","message":"Said the server.","retryable":\#(retryable)},
         "code":"\#(code)","message":"Said the server."}
        """#
    }

    static func problem(_ code: String) -> String {
        #"{"error":"Not so.","code":"\#(code)","message":"Not so.","requestId":"req-7"}"#
    }

    static let receipt = #"{"status":"completed","seq":6}"#
}
