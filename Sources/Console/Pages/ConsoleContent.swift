import Web

/// The content of a page of the console.
struct ConsoleContent: Sendable {
    static let template = PageTemplate<ConsoleContent>("console")

    let title: String
    var site = Site()
    var isEntry = false
    /// The links to the other pages; `nil` where there are none.
    var navigation: Navigation?
    /// A message about something that did not work.
    var fault: String?
    /// A message about something that was done.
    var notice: String?
    /// Whether the page renews itself.
    var isLive = false
    var sections: [Section] = []

    /// What is the same on all pages of a console.
    struct Site: Sendable {
        /// The beginning of every address, which is that of this console alone.
        var root = ""
        /// Whose daemon it is.
        var owner = Brand.builtIn.name
    }

    struct Navigation: Sendable {
        let links: [Link]
    }

    struct Link: Sendable {
        let path: String
        let label: String
        var isCurrent = false
    }

    /// A part of a page; members that are `nil` are left out.
    struct Section: Sendable {
        let name: String
        var heading: String?
        var lead: String?
        var search: Search?
        var charts: [Chart] = []
        var body = Body.nothing
        var forms: [Form] = []
        var jumps: Jumps?
    }

    /// What a section shows between its search and its forms.
    struct Body: Sendable {
        var pairs: Pairs?
        var table: Table?
        var lines: String?

        static let nothing = Body()
    }

    struct Search: Sendable {
        let path: String
        let fields: [Field]
    }

    struct Pairs: Sendable {
        let all: [Entry]
    }

    /// A value under its name, or in its column; it may lead to another page.
    struct Entry: Sendable {
        /// The title of a cell's column stands beside it where a row is a block.
        let name: String
        let value: String
        let href: String
        /// Whether it leads somewhere: a missing member would be looked for in everything around it.
        let isLink: Bool

        init(_ name: String, _ value: String, href: String? = nil) {
            self.name = name
            self.value = value
            self.href = href ?? ""
            isLink = href != nil
        }

        init(_ value: String, in column: String, href: String? = nil) { self.init(column, value, href: href) }
    }

    struct Table: Sendable {
        let caption: String
        let titles: [String]
        let rows: [Row]
        /// The address of the next page.
        var next: String?
        let isEmpty: Bool

        init(caption: String, titles: [String], rows: [Row], next: String? = nil) {
            self.caption = caption
            self.titles = titles
            self.rows = rows
            self.next = next
            isEmpty = rows.isEmpty
        }
    }

    struct Row: Sendable {
        let cells: [Entry]
    }

    struct Jumps: Sendable {
        let all: [Link]
    }
}
