import HTTPTypes
import Hummingbird
import Kernel
import Operations
import Testing

@testable import HTTPAPI

/// The parts of every answer, whatever the route.
struct APIErrorTests {
    @Test func `the names of our headers are names`() {
        #expect(
            [
                HTTPField.Name.xRequestID, .xClientID, .xCodeVerifier, .xDeviceCredential, .xReturnCode, .secFetchSite,
                .crossOriginOpenerPolicy, .permissionsPolicy, .lastEventID, .xAccelBuffering, .dpop,
            ].map {
                $0?.rawName
            }
                == [
                    "X-Request-Id", "X-Client-Id", "X-Code-Verifier", "X-Device-Credential", "X-Return-Code",
                    "Sec-Fetch-Site", "Cross-Origin-Opener-Policy", "Permissions-Policy",
                    "Last-Event-ID", "X-Accel-Buffering", "DPoP",
                ]
        )
    }

    @Test func `every fault inside becomes an answer that tells nothing of it`() {
        struct UnexpectedError: Error { let secret = "s3cret" }
        let cases: [(any Error, String, Int)] = [
            (StoreError.unavailable(cause: "disk s3cret"), "store_unavailable", 503),
            (StoreError.corrupt(cause: "column s3cret"), "store_unavailable", 503),
            (StoreError.conflict(cause: "constraint s3cret"), "internal_error", 500),
            (HTTPError(.contentTooLarge), "payload_too_large", 413),
            (StoreError.foreignTransaction, "internal_error", 500), (UnexpectedError(), "internal_error", 500),

            (ClientDirectory.ValidationError.required, "client_required", 400),
            (ClientDirectory.ValidationError.elsewhere, "client_not_allowed", 400),
            (ClientDirectory.ValidationError.unknown, "unknown_client", 400),
            (CancellationError(), "internal_error", 500),
        ]
        for (error, code, status) in cases {
            let problem = APIError(error, bodyLimit: 1024)
            #expect(problem.code == code && problem.status.code == status, "\(error)")
            #expect(!problem.message.contains("s3cret"))
        }
        #expect(APIError(StoreError.unavailable(cause: ""), bodyLimit: 1024).retryAfter == 5)
        #expect(APIError(HTTPError(.contentTooLarge), bodyLimit: 1024) == .payloadTooLarge(limit: 1024))
        #expect(APIError.unauthorized(.credentials).response(requestID: "x").headers[.wwwAuthenticate] == "Bearer")
        for lack in [APIError.Unproven.noToken, .operation] {
            let both = APIError.unauthorized(lack).response(requestID: "x").headers[.wwwAuthenticate]
            #expect(both?.hasPrefix("Bearer, DPoP ") == true, "who reads the first alone finds the one it knows")
        }
    }
}
