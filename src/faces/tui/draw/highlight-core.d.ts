/** What is used of highlight.js. */
declare const hljs: {
  registerLanguage(name: string, language: unknown): void;
  highlight(code: string, options: { readonly language: string; readonly ignoreIllegals?: boolean }): { readonly value: string };
};
export default hljs;
