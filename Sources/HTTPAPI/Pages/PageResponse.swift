import HTTPTypes
import Hummingbird
import NIOCore
import Web

extension Response {
    /// Returns 303, after which the browser follows with a GET (RFC 9110 §15.4.4), also from a form.
    ///
    /// It sends on nothing that was typed in the form (RFC 9700 §4.12).
    static func seeOther(_ address: String) -> Response {
        Response(status: .seeOther, headers: [.location: address, .cacheControl: "no-store"])
    }

    /// Returns a page in the language of `texts`, which no cache keeps.
    ///
    /// - Parameters:
    ///   - markup: The page.
    ///   - status: The status.
    ///   - policy: The content security policy.
    ///   - texts: The language of the page.
    ///   - hasForm: Whether the page sends a form here: with `no-referrer` that would send `Origin: null` (Fetch §3.1).
    /// - Returns: The response.
    static func page(
        _ markup: ByteBuffer,
        _ status: HTTPResponse.Status = .ok,
        policy: String,
        in texts: LocalizedStrings,
        hasForm: Bool = true
    ) -> Response {
        var response = Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: policy, .cacheControl: "no-store",
            ],
            body: ResponseBody(byteBuffer: markup)
        )
        if hasForm { response.headers[our: .referrerPolicy] = "same-origin" }
        response.say(in: texts)
        return response
    }

    /// Returns a page that loads the site's own files, under their policy.
    ///
    /// The page opens the scan's page, which gets neither access to it nor its address.
    static func sitePage(
        _ markup: ByteBuffer,
        _ status: HTTPResponse.Status = .ok,
        in texts: LocalizedStrings,
        permitting features: String? = nil
    ) -> Response {
        var response = page(markup, status, policy: SitePages.policy, in: texts)
        response.headers[our: .crossOriginOpenerPolicy] = "same-origin"
        if let features { response.headers[our: .permissionsPolicy] = "\(features), camera=(), microphone=()" }
        return response
    }

    /// Returns a page behind a link: without scripts, with a form that may lead to those sources.
    static func page(
        _ content: LandingContent,
        _ status: HTTPResponse.Status,
        formTo sources: String,
        in texts: LocalizedStrings,
        hasForm: Bool = true
    ) -> Response {
        let markup = ByteBuffer(string: LandingContent.template.render(content, in: texts))
        return page(markup, status, policy: scriptless(formTo: sources), in: texts, hasForm: hasForm)
    }

    /// Returns the policy of a page without scripts.
    static func scriptless(formTo sources: String) -> String {
        "default-src 'none'; style-src \(style); form-action \(sources); frame-ancestors 'none'; base-uri 'none'"
    }

    private static let style = LandingPages.hash(of: WebAssets.pageStyle)

    /// Returns the response with the seconds after which to try again.
    func retry(after seconds: Int?) -> Response {
        guard let seconds else { return self }
        var response = self
        response.headers[.retryAfter] = String(seconds)
        return response
    }
}
