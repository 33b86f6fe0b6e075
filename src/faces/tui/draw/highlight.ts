import type { CodeSegment, Highlight, StyleName } from '../contract.ts';

/** Colors for code. The library and each language are loaded when code of theirs is first drawn; until then it is plain. */
export interface Highlighter {
  readonly highlight: Highlight;
  /** Whether the languages of all code in a text are loaded; those that are not begin to load. */
  isReadyFor(text: string): boolean;
  /** Everything asked for so far is loaded. */
  settled(): Promise<void>;
}

type LoadLanguage = () => Promise<{ readonly default: unknown }>;
type Library = (typeof import('./highlight-core.js'))['default'];
/** The languages, each with the names that people give it behind a fence. */
const LANGUAGES: readonly (readonly [names: string, load: LoadLanguage])[] = [
  ['bash sh shell zsh console', () => import('highlight.js/lib/languages/bash')],
  ['c h', () => import('highlight.js/lib/languages/c')],
  ['cpp c++ cc hpp cxx', () => import('highlight.js/lib/languages/cpp')],
  ['csharp cs c#', () => import('highlight.js/lib/languages/csharp')],
  ['css', () => import('highlight.js/lib/languages/css')],
  ['diff patch', () => import('highlight.js/lib/languages/diff')],
  ['dockerfile docker', () => import('highlight.js/lib/languages/dockerfile')],
  ['go golang', () => import('highlight.js/lib/languages/go')],
  ['ini toml', () => import('highlight.js/lib/languages/ini')],
  ['java', () => import('highlight.js/lib/languages/java')],
  ['javascript js jsx mjs cjs', () => import('highlight.js/lib/languages/javascript')],
  ['json jsonc json5', () => import('highlight.js/lib/languages/json')],
  ['kotlin kt', () => import('highlight.js/lib/languages/kotlin')],
  ['lua', () => import('highlight.js/lib/languages/lua')],
  ['makefile make mk', () => import('highlight.js/lib/languages/makefile')],
  ['perl pl', () => import('highlight.js/lib/languages/perl')],
  ['php', () => import('highlight.js/lib/languages/php')],
  ['powershell ps1 pwsh', () => import('highlight.js/lib/languages/powershell')],
  ['python py', () => import('highlight.js/lib/languages/python')],
  ['ruby rb', () => import('highlight.js/lib/languages/ruby')],
  ['rust rs', () => import('highlight.js/lib/languages/rust')],
  ['scss sass less', () => import('highlight.js/lib/languages/scss')],
  ['sql', () => import('highlight.js/lib/languages/sql')],
  ['swift', () => import('highlight.js/lib/languages/swift')],
  ['typescript ts tsx mts', () => import('highlight.js/lib/languages/typescript')],
  ['xml html svg vue', () => import('highlight.js/lib/languages/xml')],
  ['yaml yml', () => import('highlight.js/lib/languages/yaml')],
];

/** Code longer than this has no colors: they would take longer than a frame. */
const MAX_CODE_CHARS = 20_000;
/** Pieces of code whose colors are kept: what is live is drawn with every frame. */
const MAX_KEPT = 16;

/** `changed` is called when a language has been loaded and code can be drawn again. */
export function createHighlighter(changed: () => void = () => {}): Highlighter {
  const ready = new Map<string, Library | 'loading'>();
  const kept = new Map<string, ReturnType<Highlight>>();
  const loads: Promise<void>[] = [];
  const load = async (name: string, loadLanguage: LoadLanguage): Promise<void> => {
    const [{ default: hljs }, { default: language }] = await Promise.all([import('./highlight-core.js'), loadLanguage()]);
    hljs.registerLanguage(name, language);
    ready.set(name, hljs);
    changed();
  };
  /** The name of a language, and the library once it is loaded for it. Nothing for a language without colors. */
  function find(asked: string): { readonly name: string; readonly hljs: Library | 'loading' } | undefined {
    const [names, loadLanguage] = findLanguage(asked) ?? [];
    const name = names?.split(' ')[0];
    if (name === undefined || loadLanguage === undefined) return undefined;
    if (!ready.has(name)) {
      ready.set(name, 'loading');
      // Without its colors code is still code.
      loads.push(load(name, loadLanguage).catch(() => {}));
    }
    return { name, hljs: ready.get(name) ?? 'loading' };
  }
  return {
    settled: async () => void (await Promise.all(loads)),
    isReadyFor: (text) => Array.from(text.matchAll(FENCES), ([, language = '']) => find(language)?.hljs !== 'loading').every(Boolean),
    highlight: (code, asked) => {
      const found = code.length > MAX_CODE_CHARS ? undefined : find(asked);
      if (found === undefined || found.hljs === 'loading') return undefined;
      const { name, hljs } = found;
      const key = `${name}\n${code}`;
      const lines = kept.get(key) ?? toLines(hljs.highlight(code, { language: name, ignoreIllegals: true }).value);
      kept.delete(key);
      kept.set(key, lines);
      for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
      return lines;
    },
  };
}

/** Where code begins, with the name of its language. */
const FENCES = /^ *(?:`{3,}|~{3,}) *([\w+#-]+)/gm;
const findLanguage = (asked: string) => LANGUAGES.find(([names]) => names.split(' ').includes(asked.toLowerCase()));

/** The first part of a class of the library, and what it is for us. What has no row is plain. */
const STYLES: Readonly<Record<string, StyleName>> = {
  keyword: 'syntax.keyword',
  'selector-tag': 'syntax.keyword',
  doctag: 'syntax.keyword',
  operator: 'syntax.keyword',
  literal: 'syntax.number',
  number: 'syntax.number',
  symbol: 'syntax.number',
  bullet: 'syntax.number',
  string: 'syntax.string',
  regexp: 'syntax.string',
  char: 'syntax.string',
  code: 'syntax.string',
  comment: 'syntax.comment',
  quote: 'syntax.comment',
  meta: 'syntax.comment',
  title: 'syntax.name',
  name: 'syntax.name',
  attr: 'syntax.name',
  attribute: 'syntax.name',
  property: 'syntax.name',
  section: 'syntax.name',
  type: 'syntax.name',
  built_in: 'syntax.name',
  'selector-class': 'syntax.name',
  'selector-id': 'syntax.name',
  addition: 'diff.added',
  deletion: 'diff.removed',
};
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
const TOKEN = /<span class="(?:hljs-)?([\w-]*)[^>]*>|(<\/span>)|([^<]+)/g;

/** The library's answer, which is HTML, as lines of segments. The innermost class that means something here wins. */
function toLines(html: string): readonly (readonly CodeSegment[])[] {
  const lines: CodeSegment[][] = [[]];
  const open: (StyleName | undefined)[] = [];
  for (const [, name, closes, text = ''] of html.matchAll(TOKEN)) {
    if (closes !== undefined) open.pop();
    else if (name !== undefined) open.push(STYLES[name]);
    const style = open.findLast((each) => each !== undefined);
    text
      .replaceAll(/&(#?\w+);/g, (whole, entity: string) => ENTITIES[entity] ?? whole)
      .split('\n')
      .forEach((piece, index) => {
        if (index > 0) lines.push([]);
        if (piece !== '') lines.at(-1)?.push({ text: piece, ...(style !== undefined && { style }) });
      });
  }
  return lines;
}
