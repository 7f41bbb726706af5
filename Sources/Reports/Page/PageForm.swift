/// What a page can be asked for otherwise: links to other times, and a plain form that a browser sends by itself.
struct PageForm {
    let page: ReportPage
    let links: PageLinks

    private var request: ReportRequest { page.whole.request }

    private static let times: [(text: String, item: PageLinks.Item?)] = [
        ("last 15 min", ("last", "15m")), ("1 h", ("last", "1h")), ("6 h", ("last", "6h")), ("24 h", ("last", "24h")),
        ("today", ("day", "today")), ("yesterday", ("day", "yesterday")), ("7 days", nil), ("30 days", ("last", "30d")),
    ]

    private static let groups: [[PlayDimension]] =
        [.cdnRegion, .cdn, .network, .appVersion, .osVersion, .deviceModel, .player, .source, .errorCode, .hour].map {
            [$0]
        } + [[.cdn, .cdnRegion], [.cdnRegion, .network], [.cdnRegion, .appVersion], [.appVersion, .network]]

    func html() -> HTML {
        let times = Self.times.map { text, item -> HTML in
            let isIt = item.map { links.value($0.name) == $0.value } ?? false
            let current: HTML = isIt ? " aria-current=\"true\"" : .nothing
            return "<a href=\"\(links.page(of: item))\"\(current)>\(HTML(keepingUnits: text))</a>\n"
        }
        return """
            <nav class="times" aria-label="Time">
            \(times)</nav>
            <div class="fold">
            <label class="more ask"><input type="checkbox" /> other times, groups and filters</label>
            <form method="get">
            \(range)\(field("Time zone", input("time_zone", request.zone.name)))\(groups)\
            \(field("Target in ms", input("target_ms", "\(request.targetMs)", kind: "number", "min=\"0\" max=\"3600000\"")))\
            \(filters)\(kept)<button>Show</button>
            </form>
            </div>

            """
    }

    // MARK: Fields

    private func field(_ label: String, _ control: HTML) -> HTML { "<label>\(label) \(control)</label>\n" }

    private func input(_ name: String, _ value: String, kind: String = "text", _ more: HTML = .nothing) -> HTML {
        "<input type=\"\(kind)\" name=\"\(name)\" value=\"\(value)\" \(more)/>"
    }

    private func select(_ name: String, _ options: [(value: String, text: String)], chosen: String) -> HTML {
        let options = options.map { value, text -> HTML in
            let isChosen: HTML = value == chosen ? " selected" : .nothing
            return "<option value=\"\(value)\"\(isChosen)>\(text)</option>"
        }
        return "<select name=\"\(name)\">\(options)</select>"
    }

    /// A time until now stays that where nobody chooses another.
    private var range: HTML {
        switch request.days {
        case .all: return .nothing
        case .day(let day): return days(day, day)
        case .range(let first, let last): return days(first, last)
        case .window(let window):
            if request.isUntilNow { return .nothing }
            let ends = [window.lowerBound, window.upperBound].map {
                Moment(milliseconds: $0).text(in: request.zone)
            }
            return "\(field("From", input("from", ends[0])))\(field("Until", input("to", ends[1])))"
        }
    }

    private func days(_ first: CalendarDay, _ last: CalendarDay) -> HTML {
        """
        \(field("From", input("from", first.description, kind: "date")))\
        \(field("To", input("to", last.description, kind: "date")))
        """
    }

    private var groups: HTML {
        let asked = links.value("by") ?? PlayDimension.cdnRegion.name
        var options = Self.groups.map { dimensions in
            (
                value: dimensions.map(\.name).joined(separator: ","),
                text: dimensions.map(\.heading).joined(separator: " and ")
            )
        }
        if !options.contains(where: { $0.value == asked }) { options.append((asked, asked)) }
        return field("Groups", select("by", options, chosen: asked))
    }

    // MARK: Filters

    /// A choice for each dimension whose values are known, the filters that are none of these, and room for another.
    private var filters: HTML {
        var asked = links.query.filter { $0.name == "where" }.map(\.value)
        let choices = page.values.map { dimension, values -> HTML in
            var options = values.map { (value: PageLinks.exact(dimension, $0), text: $0.visible.cut(to: 40)) }
            var chosen = ""
            if let index = asked.firstIndex(where: { isOne($0, of: dimension) }) {
                chosen = asked.remove(at: index)
                if !options.contains(where: { $0.value == chosen }) {
                    options.append((chosen, chosen.dropFirst(dimension.name.count + 1).description.visible))
                }
            }
            return field(dimension.heading, select("where", [("", "any")] + options, chosen: chosen))
        }
        let others = asked.map { filter -> HTML in
            """
            <label class="kept"><input type="checkbox" name="where" value="\(filter)" checked /> \(filter.visible)</label>

            """
        }
        let more = field("Another filter", input("where", "", "placeholder=\"tag:lifecycle=singleton\" "))
        return "\(choices)\(more)\(others)"
    }

    /// Whether a filter asks for one value of a dimension.
    private func isOne(_ text: String, of dimension: PlayDimension) -> Bool {
        guard let filter = try? PlayFilter(text) else { return false }
        return filter.dimension == dimension && !filter.isNegated && filter.alternatives.count == 1
    }

    /// What goes along without being asked for.
    private var kept: HTML {
        let items =
            links.query.filter { $0.name == "percentiles" || request.isUntilNow && $0.name == "last" }
            + (links.key.map { [("key", $0)] } ?? [])
        return
            "\(items.map { item -> HTML in "<input type=\"hidden\" name=\"\(item.name)\" value=\"\(item.value)\" />\n" })"
    }
}

/// Values of a dimension that plays have had, for a choice of filters.
package typealias FilterValues = [(dimension: PlayDimension, values: [String])]

extension ReportMaker {
    /// So many values of a dimension can be chosen; of more there are too many to be looked through.
    private static let mostChoices = 40

    /// What a form offers to filter by, in the order of its fields.
    ///
    /// - Throws: what the store says.
    package func filterValues() throws -> FilterValues {
        try store.snapshot {
            try WhatChanged.dimensions.compactMap { dimension in
                let values = try store.values(of: dimension, among: nil, most: Self.mostChoices + 1)
                guard !values.isEmpty, values.count <= Self.mostChoices else { return nil }
                return (dimension, values.map(\.description).sorted() + [dimension.absent])
            }
        }
    }
}
