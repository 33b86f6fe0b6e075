import { markup, Markup } from './page-markup.ts';

export interface HtmlPageOptions {
  readonly title: string;
  /** Rules beside those every page has. */
  readonly style: string;
  readonly body: Markup;
}

/** Nothing is loaded and nothing runs, whatever stands in the page: pictures come with it, and there are no scripts at all. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** One page that opens without a network, light or dark as its reader likes it. */
export const createPage = ({ title, style, body }: HtmlPageOptions): string =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Markup(BASE + style)}</style>
</head>
<body>
${body}
</body>
</html>
`.source;

const BASE = `
:root { --page: #fbfaf8; --card: #ffffff; --ink: #1f2328; --faint: #5d6570; --line: #dcdfe3; --accent: #2f5fd0; --good: #1a7f4b; --warn: #a05a00; --bad: #c02f2f; --mark: #eef2fb;
  --one: #3f6fd8; --two: #8fb0f0; --three: #c98a2b; --four: #2f9e6e; --rest: #c9cdd3; }
@media (prefers-color-scheme: dark) { :root { --page: #15171b; --card: #1d2026; --ink: #e4e7ec; --faint: #9aa3b0; --line: #333843; --accent: #86aaff; --good: #5fc994; --warn: #e3a552; --bad: #ff8a84; --mark: #242b3a;
  --one: #6f9bff; --two: #39538f; --three: #d9a04a; --four: #4fbf8c; --rest: #4b525e; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.1rem; margin: 0 0 .75rem; }
a { color: var(--accent); }
.faint { color: var(--faint); }
.bad { color: var(--bad); }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--faint); font-weight: 500; }
.scroll { overflow-x: auto; }
summary { cursor: pointer; color: var(--faint); }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;
