/// The markup of the pages of a bank's enrolment, in the form of the landing pages and without any script.
enum EnrollmentTemplates {
    /// Each answer is a form of its own, and no comes first: it is what Enter sends.
    static let page = """
        \(PageTemplates.head)
        <body>
        <main{{#hasCode}} data-code="{{code}}"{{/hasCode}}>
        <svg aria-hidden="true" viewBox="0 0 48 48" width="48" height="48">\(PageTemplates.mark)</svg>
        <h1>{{title}}</h1>
        <p{{^asks}} role="status"{{/asks}}>{{lead}}</p>
        {{#hasFacts}}<dl>{{#facts}}<div><dt>{{label}}</dt><dd dir="auto">{{value}}</dd></div>{{/facts}}</dl>
        {{/hasFacts}}{{#asks}}<p class="fault">{{own.fraud}}</p>
        <form id="cancel" method="post" action="../confirm">\(token)<button type="submit" name="decision" value="cancel">{{own.cancel}}</button></form>
        <form id="add" method="post" action="../confirm">\(token)<button type="submit" name="decision" value="add" class="plain">{{own.add}}</button></form>
        {{/asks}}</main>
        </body>
        </html>
        """

    private static let token = #"<input type="hidden" name="token" value="{{token}}">"#
}
