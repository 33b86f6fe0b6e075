/** A glob as a predicate on paths with `/`. Without a slash it speaks of the last name only, as in .gitignore and ripgrep. */
export function createGlobMatcher(pattern: string): (path: string) => boolean {
  const negated = pattern.startsWith('!');
  const body = negated ? pattern.slice(1) : pattern;
  const anywhere = !body.includes('/');
  const regex = new RegExp(`^${translate(body.replace(/^\//, ''))}$`, 'su');
  return (path) => regex.test(anywhere ? path.slice(path.lastIndexOf('/') + 1) : path) !== negated;
}

export const isGlob = (text: string): boolean => /[*?[\]{}!]/.test(text);

function translate(pattern: string): string {
  let depth = 0;
  return (
    pattern.replace(TOKENS, (token) => {
      if (token === '{') return (depth++, '(?:');
      if (token === '}' && depth > 0) return (depth--, ')');
      if (token === ',' && depth > 0) return '|';
      return WILDCARDS[token] ?? (token.length > 2 && token.startsWith('[') ? characterClass(token) : literal(token));
    }) + ')'.repeat(depth)
  );
}

const TOKENS = /\*\*\/|\/\*\*$|\*\*|\*|\?|\[[!^]?\]?[^\]/]*\]|\\.|[^]/gu;

const WILDCARDS: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '/**': '/.*',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};

const characterClass = (token: string): string => {
  const inner = token.slice(1, -1);
  const negated = inner.startsWith('!') || inner.startsWith('^');
  return `[${negated ? '^' : ''}${(negated ? inner.slice(1) : inner).replace(/[\\[\]^]/g, '\\$&')}]`;
};

const literal = (token: string): string => (token.length > 1 ? token.slice(1) : token).replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
