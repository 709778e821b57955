import HTTPTypes
import Hummingbird
import NIOCore
import Web

extension Response {
    /// Returns 303, so that the browser follows with a GET (RFC 9110 §15.4.4), even after a form.
    ///
    /// The browser then forwards no content of the form (RFC 9700 §4.12).
    static func seeOther(_ address: String) -> Response {
        Response(status: .seeOther, headers: [.location: address, .cacheControl: "no-store"])
    }

    /// Returns a page in the language of `texts`; no cache keeps it.
    ///
    /// - Parameters:
    ///   - markup: The page.
    ///   - status: The status.
    ///   - policy: The content security policy.
    ///   - texts: The language of the page.
    ///   - hasForm: Whether the page has a form to this server, which with `no-referrer` would send `Origin: null`
    ///     (Fetch §3.1).
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

    /// Returns a page that loads the site's own files, under the policy for such pages.
    ///
    /// It can open the scan's page, which gets neither access to this page nor its address.
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

    /// Returns a page behind a link, without scripts; its form may lead to the given sources, and its icons are at
    /// `root`.
    static func page(
        _ content: LandingContent,
        _ status: HTTPResponse.Status,
        formTo sources: String,
        in texts: LocalizedStrings,
        hasForm: Bool = true,
        root: String = "/"
    ) -> Response {
        let markup = ByteBuffer(string: LandingContent.template.render(content, in: texts, root: root))
        let policy = scriptless(formTo: sources, under: texts.brand)
        return page(markup, status, policy: policy, in: texts, hasForm: hasForm)
    }

    /// Returns the content security policy of a page without scripts.
    static func scriptless(formTo sources: String, under brand: Brand) -> String {
        "\(frame(of: brand)); form-action \(sources); frame-ancestors 'none'; base-uri 'none'"
    }

    /// Returns the beginning of the policy of a page that embeds its style: that style alone, icons and a brand's logo.
    ///
    /// Browsers load icons under the page's policy (CSP Level 3 §6.1.8).
    static func frame(of brand: Brand) -> String {
        let style = brand.style.isEmpty ? usualStyle : LandingPages.hash(of: WebAssets.pageStyle(of: brand))
        return "default-src 'none'; style-src \(style); img-src 'self'"
    }

    private static let usualStyle = LandingPages.hash(of: WebAssets.pageStyle)

    /// Returns the response with `Retry-After`, in seconds.
    func retry(after seconds: Int?) -> Response {
        guard let seconds else { return self }
        var response = self
        response.headers[.retryAfter] = String(seconds)
        return response
    }
}
