import HTTPTypes
import Hummingbird
import NIOCore
import Web

extension Response {
    /// 303: the browser follows with a GET (RFC 9110 §15.4.4), also out of a form, and sends on nothing that was typed in it
    /// (RFC 9700 §4.12).
    static func seeOther(_ address: String) -> Response {
        Response(status: .seeOther, headers: [.location: address, .cacheControl: "no-store"])
    }

    /// A page in the language of `texts`, which no cache keeps.
    ///
    /// - Parameters:
    ///   - markup: The page.
    ///   - status: Its status.
    ///   - policy: Its content security policy.
    ///   - texts: What it is written in.
    ///   - hasForm: Whether it sends a form here: with `no-referrer` that would say `Origin: null` (Fetch §3.1).
    /// - Returns: The response, which no cache keeps.
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

    /// A page that loads the site's own files, under their policy.
    ///
    /// The scan's page is opened from it: that gets no hand on this one, and no address.
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

    /// A page behind a link that has no script, with a form that may lead to those sources.
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

    /// The policy of a page without scripts.
    static func scriptless(formTo sources: String) -> String {
        "default-src 'none'; style-src \(style); form-action \(sources); frame-ancestors 'none'; base-uri 'none'"
    }

    private static let style = LandingPages.hash(of: WebAssets.pageStyle)

    /// The same, which says when to come again.
    func retry(after seconds: Int?) -> Response {
        guard let seconds else { return self }
        var response = self
        response.headers[.retryAfter] = String(seconds)
        return response
    }
}
