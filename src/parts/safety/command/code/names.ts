import { isUnknown, MARK } from '../values/marks.ts';
import { ACTS } from './acts.ts';
import type { Token } from './tokens.ts';
import { valueOf } from './values.ts';

const lastPart = (name: string): string => name.split(/\.|::|->|\?\./).at(-1) ?? '';
const isAct = (token: Token | undefined): boolean => token?.type === 'name' && Object.hasOwn(ACTS, lastPart(token.text));

/** Other names a program gives to what acts: `import system as s`, `{ execSync: x }`, `x = os.system`. */
export function aliasesIn(tokens: readonly Token[]): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  for (const [at, token] of tokens.entries()) {
    if (!isAct(token)) continue;
    const [two, one, next, other] = [tokens[at - 2], tokens[at - 1], tokens[at + 1], tokens[at + 2]];
    const name = lastPart(token.text);
    if (next?.text === 'as' && other?.type === 'name') aliases.set(other.text, name);
    if (next?.text === ':' && other?.type === 'name' && /^[{,]$/.test(one?.text ?? '') && /^[},]$/.test(tokens[at + 3]?.text ?? ''))
      aliases.set(other.text, name);
    const dotted = one?.text === '.' ? at - 3 : at - 1;
    const assigns = one?.text === '=' ? two : tokens[dotted]?.text === '=' ? tokens[dotted - 1] : undefined;
    if (assigns?.type === 'name' && next?.text !== '(' && next?.text !== '.') aliases.set(assigns.text, name);
  }
  return aliases;
}

/** `for x in <folder>`: the names a loop gives to what it finds, as far as the folder is known. */
export function loopNames(tokens: readonly Token[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [at, { type, text }] of tokens.entries()) {
    if (type !== 'name' || text !== 'for' || names.size > 50) continue;
    const rest = tokens.slice(at + 1, at + 60);
    const middle = rest.findIndex((token) => /^(?:in|of)$/.test(token.text));
    const end = rest.findIndex((token, index) => index > middle && (token.type === 'end' || token.text === ':' || token.text === '{'));
    if (middle < 1 || middle > 8) continue;
    const own = rest.slice(0, middle).filter((token) => token.type === 'name' && !/^(?:const|let|var)$/.test(token.text));
    named(own, rest.slice(middle + 1, end < 0 ? rest.length : end), names);
  }
  return names;
}

function named(own: readonly Token[], source: readonly Token[], names: Map<string, string>): void {
  const value = valueOf(
    source.filter(
      ({ text }) => !/(?:^|\.)(?:walk|fwalk|listdir|iterdir|scandir|readdirSync|sorted|list|reversed|glob\.i?glob|iglob)$/.test(text),
    ),
    names,
  );
  if (value === '' || isUnknown(value)) return;
  const walks = source.some(({ text }) => /(?:^|\.)f?walk$/.test(text));
  const lists = source.some(({ text }) => /(?:^|\.)(?:iterdir|scandir)$/.test(text));
  const bare = source.some(({ text }) => /(?:^|\.)(?:listdir|readdirSync)$/.test(text));
  const marked = value.replaceAll('**', MARK.name).replaceAll('*', MARK.star).replaceAll('?', MARK.one);
  for (const [index, { text }] of own.entries())
    names.set(text, bare || (walks && index > 0) ? MARK.name : lists || walks ? `${marked}/${MARK.name}` : marked);
}
