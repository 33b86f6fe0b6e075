/** A name with `_` where camel case joins its words: `createIssue`, `HTTPServer`. */
export const splitCamelCase = (name: string): string =>
  name.replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2').replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2');
