import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { toPrintable } from '../base/printable.ts';
import { markup, Markup } from './page-markup.ts';

/** Each brings its other names along: `ts`, `sh`, `html`, `toml`. */
const LANGUAGES = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Longer texts are shown without colors: they would take too long, and nobody reads them for their grammar. */
const MAX_COLORED = 60_000;

/** Code in a frame, with colors where its language is known. */
export function drawCode(code: string, language = ''): Markup {
  const known = hljs.getLanguage(language) !== undefined && code.length <= MAX_COLORED;
  // The highlighter escapes what it is given.
  const shown = known ? new Markup(hljs.highlight(toPrintable(code), { language, ignoreIllegals: true }).value) : code;
  return markup`<pre><code>${shown}</code></pre>`;
}

/** The language a file's name stands for. */
export const findLanguage = (path: string): string => /\.([a-z\d]{1,10})$/i.exec(path)?.[1]?.toLowerCase() ?? '';

export const CODE_STYLE = `
pre { background: var(--mark); border-radius: 6px; padding: .6rem .8rem; margin: .5rem 0; overflow-x: auto; white-space: pre-wrap; font-size: .85rem; line-height: 1.45; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; unicode-bidi: isolate; }
:not(pre) > code { background: var(--mark); border-radius: 4px; padding: .1em .3em; font-size: .88em; }
.hljs-comment, .hljs-quote, .hljs-meta { color: var(--faint); }
.hljs-keyword, .hljs-selector-tag, .hljs-literal, .hljs-section { color: var(--accent); }
.hljs-string, .hljs-regexp, .hljs-addition, .add { color: var(--good); }
.hljs-number, .hljs-symbol, .hljs-bullet, .hljs-attr, .hljs-attribute, .hljs-variable, .hljs-template-variable { color: var(--warn); }
.hljs-deletion, .del { color: var(--bad); }
.hljs-title, .hljs-name, .hljs-type, .hljs-built_in { font-weight: 600; }
.hljs-emphasis { font-style: italic; } .hljs-strong { font-weight: 700; }
`;
