/** The grammar of one language; only highlight.js looks into it. */
declare function language(highlighter: unknown): unknown;
export default language;
