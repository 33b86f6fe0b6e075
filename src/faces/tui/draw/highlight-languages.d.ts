declare module 'highlight.js/lib/languages/*' {
  const language: unknown;
  export default language;
}
