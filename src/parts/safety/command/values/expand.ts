import type { WordPart, Word } from '../../../../base/shell/ast.ts';
import { expandBraces } from './braces.ts';
import type { ExpansionContext } from './expansion-context.ts';
import { A_NAME, uniteChoices, type Choices, type ShellFields, MARK, MAX_CHOICES } from './marks.ts';
import { expandParameter } from './parameters.ts';

/** The words a word becomes, one list for each choice. */
export function expandWord(word: Word, known: ExpansionContext): Choices {
  const each = expandBraces(word.parts).map((parts) => expandParts(parts, known, true));
  return each.length === 1 ? (each[0] ?? [[]]) : crossed(each, (fields, more) => [...fields, ...more]);
}

/** The text a word becomes where nothing is split: values, here-documents, the targets of redirections. */
export const expandText = (parts: readonly WordPart[], known: ExpansionContext): readonly string[] =>
  expandParts(
    parts.map((part): WordPart => (part.type === 'brace' ? { type: 'text', text: part.text, quoted: true } : part)),
    known,
    false,
  ).map((fields) => fields.join(' '));

function expandParts(parts: readonly WordPart[], known: ExpansionContext, split: boolean): Choices {
  const pieces = parts.map((part) => piece(part, known, split));
  const joined = crossed(pieces, glued);
  const solid = !split || parts.some((part) => part.type === 'text' && part.quoted);
  return solid ? joined : joined.map((fields) => fields.filter((text) => text !== ''));
}

/** Every choice of one with every choice of the next, as long as there are few. */
function crossed(pieces: readonly Choices[], join: (left: ShellFields, right: ShellFields) => ShellFields): Choices {
  let all: Choices = [[]];
  let first = true;
  for (const next of pieces) {
    if (first) all = next;
    // One choice each is the usual case, and long words are made of many pieces.
    else if (all.length * next.length <= MAX_CHOICES) all = all.flatMap((left) => next.map((right) => join(left, right)));
    else all = [...all.map((left) => join(left, next[0] ?? [])), ...next.map((right) => join(all[0] ?? [], right)), [MARK.unknown]];
    first = false;
  }
  return all.length > 1 ? uniteChoices(all) : all;
}

/** The end of one and the beginning of the other are one word. */
const glued = (left: ShellFields, right: ShellFields): ShellFields => {
  if (left.length === 0 || right.length === 0) return [...left, ...right];
  return [...left.slice(0, -1), (left.at(-1) ?? '') + (right[0] ?? ''), ...right.slice(1)];
};

function piece(part: WordPart, known: ExpansionContext, split: boolean): Choices {
  known.pay(1);
  switch (part.type) {
    case 'text':
      return [[part.text]];
    case 'brace':
      return [[part.text]];
    case 'glob':
      return [[part.text.startsWith('*') ? MARK.star : MARK.one]];
    case 'tilde':
      return [[tilde(part.user, known)]];
    case 'parameter':
      return unquoted(expandParameter(part, known, textOf), part.quoted || !split, known);
    case 'output':
      return unquoted(
        known.outputOf(part.body).map((text) => [text.replace(/\n+$/, '')]),
        part.quoted || !split,
        known,
      );
    case 'arithmetic':
      for (const inner of part.parts) piece(inner, known, false);
      return A_NAME;
    case 'pipe':
      return [[known.pipeOf(part.body, part.out)]];
  }
}

const textOf = (parts: readonly WordPart[], known: ExpansionContext): readonly string[] => expandText(parts, known);

function tilde(user: string, { home, cwd }: ExpansionContext): string {
  if (user === '') return home;
  if (user === '+') return cwd ?? MARK.unknown;
  if (user === '-') return MARK.unknown;
  return user === 'root' ? '/root' : `/home/${user}`;
}

/** Outside quotes a value is split into words, and its globs are globs. */
function unquoted(values: Choices, quoted: boolean, known: ExpansionContext): Choices {
  if (quoted) return values;
  const separators = known.valueOf('IFS')?.[0]?.[0] ?? ' \t\n';
  const between = separators === '' ? undefined : new RegExp(`[${separators.replaceAll(/[\\\]^-]/g, '\\$&')}]+`, 'u');
  return values.map((fields) => {
    known.pay(fields.reduce((sum, text) => sum + text.length, 0));
    const words = between === undefined ? fields : fields.flatMap((text) => text.split(between));
    return words.map((word) => word.replaceAll(/\*+/g, MARK.star).replaceAll('?', MARK.one));
  });
}
