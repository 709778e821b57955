import Web

/// The content of a page of the console.
struct ConsoleContent: Sendable {
    static let template = PageTemplate<ConsoleContent>("console")

    let title: String
    /// The beginning of every address, which is that of this console alone.
    var root = ""
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
        let all: [Pair]
    }

    struct Pair: Sendable {
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
        let cells: [Cell]
    }

    struct Cell: Sendable {
        /// The title of its column, which stands beside it where a row is a block.
        let column: String
        let value: String
        let href: String
        let isLink: Bool

        init(_ value: String, in column: String, href: String? = nil) {
            self.column = column
            self.value = value
            self.href = href ?? ""
            isLink = href != nil
        }
    }

    struct Jumps: Sendable {
        let all: [Link]
    }
}
