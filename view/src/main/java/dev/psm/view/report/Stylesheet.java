package dev.psm.view.report;

/** The report's look. */
final class Stylesheet {
  static final String CSS =
      """
      :root {
        color-scheme: light dark;
        --page: #ffffff; --text: #1b1f24; --quiet: #57606a; --rule: #d5dae0; --panel: #f5f7f9;
        --link: #0b5cad;
      }
      @media (prefers-color-scheme: dark) {
        :root {
          --page: #13161a; --text: #e4e8ec; --quiet: #9ba6b1; --rule: #333b44; --panel: #1b2026;
          --link: #7cb8f5;
        }
      }
      * { box-sizing: border-box; }
      body {
        margin: 0; background: var(--page); color: var(--text);
        font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif;
        font-kerning: normal; text-rendering: optimizeLegibility;
      }
      main { max-width: 52rem; margin: 0 auto; padding: 3.5rem 1.5rem 5rem; overflow-wrap: break-word; }
      h1 { font-size: 2.1rem; line-height: 1.2; letter-spacing: -.018em; font-weight: 680; margin: 0; }
      h2 {
        font-size: 1.3rem; line-height: 1.3; letter-spacing: -.01em; font-weight: 640;
        margin: 3rem 0 .75rem; padding-top: 1.1rem; border-top: 1px solid var(--rule);
      }
      p { margin: .8rem 0; max-width: 44rem; }
      .lead { font-size: 1.14rem; color: var(--quiet); margin-top: 1rem; }
      a { color: var(--link); text-decoration: none; }
      a:hover, a:focus-visible { text-decoration: underline; }
      nav { margin-top: 1.75rem; font-size: .95rem; }
      nav ol { margin: 0; padding: .85rem 1rem .85rem 2.4rem; background: var(--panel); border-radius: 8px; }
      .scroll { overflow-x: auto; }
      table {
        border-collapse: collapse; margin: 1.5rem 0; min-width: 24rem; font-size: .94rem;
        border-top: 2px solid var(--text); border-bottom: 2px solid var(--text);
        font-variant-numeric: tabular-nums;
      }
      caption { text-align: left; color: var(--quiet); font-size: .9rem; padding-bottom: .55rem; }
      th { text-align: left; font-weight: 600; border-bottom: 1px solid var(--text); vertical-align: bottom; }
      th, td { padding: .38rem 1.1rem .38rem .35rem; }
      th:last-child, td:last-child { padding-right: .35rem; }
      .n { text-align: right; white-space: nowrap; }
      tbody tr + tr td { border-top: 1px solid var(--rule); }
      figure { margin: 2rem 0; }
      figure svg { display: block; max-width: 100%; height: auto; margin: 0 auto; }
      figcaption { color: var(--quiet); font-size: .9rem; line-height: 1.5; margin-top: .7rem; max-width: 44rem; }
      figcaption b { color: var(--text); font-weight: 600; }
      .panels {
        --wide: min(100vw - 3rem, 104rem);
        width: var(--wide); margin-left: calc(50% - var(--wide) / 2);
        display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr));
      }
      .panels figure { margin: 0; padding: .75rem; border: 1px solid var(--rule); border-radius: 8px; }
      .panels svg { width: 100%; }
      details { margin: 1rem 0; border: 1px solid var(--rule); border-radius: 8px; background: var(--panel); }
      summary { cursor: pointer; padding: .6rem 1rem; font-weight: 560; }
      pre {
        margin: 0; padding: .2rem 1rem 1rem; overflow-x: auto; line-height: 1.5;
        font: .84rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace;
      }
      @media (max-width: 36rem) {
        main { padding: 2rem 1rem 3rem; }
        h1 { font-size: 1.65rem; }
        figure svg { min-width: 32rem; }
        .panels { --wide: 100vw; gap: .75rem; padding: 0 .5rem; }
        .panels figure { padding: .5rem 0; }
        .panels svg { min-width: 0; }
        table { min-width: 0; }
      }
      @media print {
        :root { --page: #fff; --text: #000; --quiet: #444; --rule: #bbb; --panel: #fff; --link: #000; }
        body { font-size: 10.5pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
        main { max-width: none; padding: 0; }
        figure, table, details { break-inside: avoid; }
        .panels { --wide: 100%; grid-template-columns: 1fr 1fr; }
        h2 { break-after: avoid; }
        nav { display: none; }
      }
      """;

  private Stylesheet() {}
}
