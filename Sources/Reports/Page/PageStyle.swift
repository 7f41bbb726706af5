/// How the page looks: one column that grows to two, light or dark as the reader's system is, black on white in print.
enum PageStyle {
    static let css: HTML = """
        :root {
          color-scheme: light dark;
          --paper: #ffffff; --ink: #1b1f24; --quiet: #57606a; --line: #d0d7de; --band: #f4f6f8;
          --one: #0a58ca; --two: #a04000; --bad: #b3261e; --good: #1a6b34;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #12161b; --ink: #e6e9ed; --quiet: #a3acb6; --line: #39424c; --band: #1b2129;
            --one: #7ab4ff; --two: #ffb37a; --bad: #ff8f85; --good: #7ddc98;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0 auto; padding: 1rem; max-width: 72rem; background: var(--paper); color: var(--ink);
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
        }
        a { color: var(--one); }
        .skip { position: absolute; left: -999px; }
        .skip:focus { position: static; }
        h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; }
        h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
        h3 { font-size: 1.05rem; margin: 1.25rem 0 .5rem; }
        h4, .many h3 { font-size: .9375rem; margin: 0 0 .25rem; }
        p { max-width: 46rem; margin: .5rem 0; }
        .answer { font-size: 1.125rem; }
        .quiet, figcaption { color: var(--quiet); }
        p.quiet, figcaption, footer { font-size: .875rem; }
        .bad { color: var(--bad); font-weight: 600; }
        .good { color: var(--good); font-weight: 600; }
        figure { margin: 1rem 0; }
        .many { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem 1.5rem; }
        .many figure { margin: 0; break-inside: avoid; }
        svg { display: block; width: 100%; overflow: visible; }
        svg text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--ink); }
        svg .quiet { fill: var(--quiet); }
        svg .title { font-weight: 600; }
        svg .axis, svg .grid { stroke: var(--line); stroke-width: 1; }
        svg .one { fill: var(--one); stroke: var(--one); }
        svg .two { fill: var(--two); stroke: var(--two); }
        svg .whisker { stroke-width: 2; opacity: .6; }
        svg .bar { stroke: none; }
        .scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; margin: .75rem 0; }
        .scroll:focus { outline: 2px solid var(--one); }
        table { border-collapse: collapse; width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums; }
        caption { text-align: left; padding: .5rem .75rem; color: var(--quiet); }
        th, td { padding: .35rem .75rem; border-top: 1px solid var(--line); text-align: right; white-space: nowrap; }
        thead th { background: var(--band); vertical-align: bottom; }
        th[scope=row], .name { text-align: left; font-weight: 500; }
        tr.all th, tr.all td { font-weight: 700; }
        footer { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
        @media print {
          :root {
            --paper: #fff; --ink: #000; --quiet: #444; --line: #999; --band: #eee;
            --one: #0a58ca; --two: #a04000; --bad: #900; --good: #060;
          }
          body { max-width: none; padding: 0; font-size: 11px; }
          .scroll { overflow: visible; border: 0; }
          table { font-size: 9px; }
          th, td { padding: .15rem .3rem; }
          figure, tr { break-inside: avoid; }
          h2, h3 { break-after: avoid; }
          .skip { display: none; }
        }
        """
}
