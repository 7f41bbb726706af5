import Foundation
import TestSupport
import Testing

@Suite("The HTML page in Chromium", .tools)
struct BrowserTests {
    @Test("draws every figure, fits telephones and desks, asks for nothing and has nothing to complain of")
    func sample() throws {
        let data = try LoadedData.sample()
        let chromium = try Chromium()
        let page = try data.page(in: chromium.folder)
        let (probes, console) = try PageProbe.measure(
            page, widths: [375, 390, 640, 820, 1_024, 1_280, 1_440], in: chromium)
        // The measuring page's own word, which shows that the console is heard.
        #expect(console.count == 1 && console.allSatisfy { $0.contains("\"measured\"") }, "\(console)")
        let groups = try #require(data.rows(by: "cdnRegion")["summary.csv"]?.count)
        #expect(probes.count == 7)
        for probe in probes {
            #expect(probe.scrollWidth == probe.width)
            #expect(probe.cutTables == [], "at \(probe.width)")
            #expect(probe.loaded == [] && probe.scripts == 0)
            try Self.expectMarks(probe, groups: groups, data)
        }

        let text = try chromium.text(page)
        let references = text.matches(of: /(?:src|href)="([^"]*)"/).map { String($0.output.1) }
        #expect(references.contains("#main"))
        #expect(references.filter { !$0.hasPrefix("#") && $0 != "data:," } == [])
    }

    /// - Parameter groups: regions, and all of them together.
    private static func expectMarks(_ probe: PageProbe, groups: Int, _ data: LoadedData) throws {
        let pictures = Dictionary(uniqueKeysWithValues: probe.pictures.map { ($0.name, $0) })
        #expect(pictures.count == probe.pictures.count && probe.pictures.allSatisfy { $0.outside == 0 })
        let startup = try #require(pictures["Startup p50 and p95"])
        #expect(startup.marks == ["circle": groups, "rect": groups] && startup.rows == groups)
        let rebuffering = try #require(pictures["Rebuffer ratio"])
        #expect(rebuffering.marks == ["circle": groups] && rebuffering.rows == groups)
        let bytes = try #require(pictures["Data per session"])
        #expect(bytes.marks == ["circle": groups, "rect": groups] && bytes.rows == groups)
        let memory = try #require(pictures["Memory at session end"])
        #expect(memory.marks == ["circle": groups, "rect": groups])
        let codes = try #require(data.rows(by: "cdnRegion")["failures.csv"]).count {
            $0["cdn_region"] == .text("(all)")
        }
        #expect(codes > 0 && pictures["Failures by error code"]?.marks == ["circle": min(codes, 10)])

        let spread = probe.pictures.filter { $0.name.hasPrefix("Distribution of startup times, ") }
        #expect(spread.count == groups && spread.allSatisfy { $0.marks == ["rect": 20] && $0.rows == 20 })
        let days = try #require(data.rows(by: "day,cdnRegion")["summary.csv"])
        for (name, column) in [
            ("Startup p50", "startup_p50_ms"), ("Startup p95", "startup_p95_ms"),
            ("Left before start", "exits_before_start_ratio"), ("Rebuffer ratio", "rebuffer_ratio"),
            ("Failure rate", "failure_ratio"),
        ] {
            let course = probe.pictures.filter { $0.name.hasPrefix("\(name) day by day, ") }
            #expect(course.count == groups && course.allSatisfy { $0.rows == 2 }, "\(name)")
            let marks = course.reduce(0) { $0 + ($1.marks["circle"] ?? 0) }
            #expect(marks == days.count { $0[column] != ReadBack.Cell.none }, "\(name)")
        }
        #expect(probe.pictures.count == 5 + 6 * groups)
    }

    @Test("makes a picture of its width", arguments: [375, 1_440])
    func screenshot(width: Int) throws {
        let chromium = try Chromium()
        let page = try LoadedData.sample().page(in: chromium.folder)
        let picture = try chromium.screenshot(page, width: width, height: 1_200)
        #expect(picture.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
        // A PNG's first chunk has width and height at bytes 16 and 20, big-endian.
        let sizes = [16, 20].map { start in picture[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        #expect(sizes == [width, 1_200])
        // An empty page is a few kilobytes.
        #expect(picture.count > 40_000)
    }

    @Test("runs nothing and loads nothing that a player put into a name")
    func names() throws {
        let names = [
            "<script>console.error(1)</script>", #""><img src=x onerror=console.error(2)>"#,
            "<svg onload=console.error(3)>", "</style><iframe src=x>",
        ]
        let events = try names.map { name in
            let text = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
            return SampleBatch.event(
                SampleBatch.newId(), #""cdnRegion":\#(text),"error":{"domain":\#(text),"code":1}"#)
        }
        let chromium = try Chromium()
        let page = try LoadedData(body: SampleBatch.body(events)).page(in: chromium.folder)
        let (probes, console) = try PageProbe.measure(page, widths: [375], in: chromium)
        #expect(console.count == 1 && console.allSatisfy { $0.contains("\"measured\"") }, "\(console)")
        let probe = try #require(probes.first)
        #expect(probe.loaded == [] && probe.scripts == 0 && probe.scrollWidth == 375)
        let startup = try #require(probe.pictures.first { $0.name == "Startup p50 and p95" })
        #expect(startup.marks["circle"] == names.count + 1)
    }
}

/// What a browser makes of a page at a width, measured by a page that shows it in a frame.
private struct PageProbe: Decodable {
    struct Picture: Decodable {
        var name: String
        /// Marks that have a place and a size on the screen, by element: `circle`, `rect`.
        var marks: [String: Int]
        /// Marks whose middle is outside the picture.
        var outside: Int
        /// The rows of the first table after it.
        var rows: Int
    }

    var width: Int
    var scrollWidth: Int
    /// The captions of tables of which a part is out of sight.
    var cutTables: [String]
    var pictures: [Picture]
    /// What the page loaded beside itself.
    var loaded: [String]
    var scripts: Int

    /// - Returns: what was measured at each width, and what the console showed.
    static func measure(
        _ page: String, widths: [Int], in chromium: Chromium
    ) throws -> (probes: [PageProbe], console: [String]) {
        let frames = widths.map {
            #"<iframe style="width:\#($0)px;height:900px;border:0" src="\#(URL(fileURLWithPath: page).absoluteString)"></iframe>"#
        }
        let file = chromium.folder.path("probe.html")
        try #"<!DOCTYPE html><body>\#(frames.joined())<pre id="found"></pre><script>\#(script)</script></body>"#
            .write(toFile: file, atomically: true, encoding: .utf8)
        let shown = try chromium.load(file)
        let found = try #require(shown.document.firstMatch(of: /<pre id="found">([^<]+)<\/pre>/)).output.1
        let text = try #require(found.removingPercentEncoding)
        return (try JSONDecoder().decode([PageProbe].self, from: Data(text.utf8)), shown.console)
    }

    private static let script = """
        function measure(frame) {
          const page = frame.contentDocument, tables = [...page.querySelectorAll("table")];
          const pictures = [...page.querySelectorAll("svg[role=img]")].map(svg => {
            const area = svg.getBoundingClientRect(), marks = {};
            let outside = 0;
            for (const mark of svg.querySelectorAll(".mark")) {
              const box = mark.getBoundingClientRect(), middle = box.x + box.width / 2;
              if (box.width > 0) marks[mark.localName] = (marks[mark.localName] || 0) + 1;
              if (middle < area.left - 1 || middle > area.right + 1) outside += 1;
            }
            const table = tables.find(t => svg.compareDocumentPosition(t) & Node.DOCUMENT_POSITION_FOLLOWING);
            return { name: svg.getAttribute("aria-label"), marks, outside, rows: table.tBodies[0].rows.length };
          });
          const cutTables = [...page.querySelectorAll(".scroll")].filter(box => box.scrollWidth > box.clientWidth)
            .map(box => box.getAttribute("aria-label"));
          return {
            cutTables, width: frame.clientWidth, scrollWidth: page.documentElement.scrollWidth, pictures,
            loaded: frame.contentWindow.performance.getEntriesByType("resource").map(entry => entry.name),
            scripts: page.scripts.length
          };
        }
        onload = () => {
          const found = [...document.querySelectorAll("iframe")].map(measure);
          document.getElementById("found").textContent = encodeURIComponent(JSON.stringify(found));
          console.log("measured");
        };
        """
}
