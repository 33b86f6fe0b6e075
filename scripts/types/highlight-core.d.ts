/**
 * What we use of highlight.js. Its own types would bring along those of a browser, and every global of one would then be known
 * to the whole program.
 */
import type language from './highlight-language.d.ts';

interface Highlighter {
  registerLanguage(name: string, language: typeof language): void;
  getLanguage(name: string): unknown;
  highlight(code: string, options: { readonly language: string; readonly ignoreIllegals?: boolean }): { readonly value: string };
}
declare const highlighter: Highlighter;
export default highlighter;
