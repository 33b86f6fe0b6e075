import { fromOutside, MARK } from '../values/marks.ts';
import { fillPath } from './finds.ts';
import { type HandedOn, type FindHandedOn, handLine, handWords } from '../call/handed.ts';
import { unwrapCommand } from './wrappers.ts';

/** Items read from a text; more than these are judged by the first of them and as unknown. */
const MOST_ITEMS = 12;

function items(texts: readonly string[], piece: RegExp): string[] {
  const all = texts.flatMap((text) => fromOutside(text).split(piece)).filter((item) => item !== '');
  return all.length > MOST_ITEMS ? [...all.slice(0, MOST_ITEMS), MARK.unknown] : all;
}

/** `xargsCommands`: the command behind it with what it is fed. */
export const xargsCommands: FindHandedOn = ({ args: all, fed, reads, piped }, textsOf) => {
  const command = unwrapCommand('xargs', all) ?? [];
  const args = all.slice(0, all.length - command.length);
  const hole = replacement(args);
  const texts: string[] = [...fed, ...reads.flatMap((file) => textsOf(file) ?? [MARK.unknown])];
  const file = args.flatMap((word, index) =>
    /^(?:-a|--arg-file)$/.test(word) ? (args[index + 1] ?? []) : (/^--arg-file=(.*)$/.exec(word)?.[1] ?? []),
  )[0];
  if (file !== undefined) texts.push(...(textsOf(file) ?? [MARK.unknown]));
  const known = texts.length > 0 ? texts : piped || args.some((word) => /^(?:-a|--arg-file)/.test(word)) ? [MARK.unknown] : [];
  const each = items(
    known,
    args.some((word) => /^(?:-0|--null)$|^-\w*0/.test(word))
      ? /[\0\n]+/
      : hole === undefined && !args.some((word) => /^(?:-d|--delimiter)/.test(word))
        ? /\s+/
        : /\n+/,
  );
  const base = command.length === 0 ? ['echo'] : command;
  if (hole === undefined && args.some((word) => /^-[nL]\s?1$|^--max-(?:args|lines)=1$/.test(word)) && each.length > 0)
    return each.map((item) => handWords([...base, item]));
  if (hole === undefined) return [handWords([...base, ...each])];
  return each.length === 0 ? [handWords(base)] : each.map((item) => handWords(fillPath(base, item, hole)));
};

function replacement(args: readonly string[]): string | undefined {
  const at = args.findIndex((word) => /^-[Ii]|^--replace/.test(word));
  const flag = args[at];
  if (flag === undefined) return undefined;
  if (flag === '-I') return args[at + 1] ?? '{}';
  return /^(?:-[Ii]|--replace=?)(.*)$/.exec(flag)?.[1] || '{}';
}

/** `parallelCommands`: the same, with items also behind `:::`; its command is read by a shell. */
export const parallelCommands: FindHandedOn = ({ args, fed, piped, reads }, textsOf) => {
  const cut = args.findIndex((word) => /^:::+\+?$/.test(word));
  const file = args.flatMap((word, index) => (/^(?:-a|--arg-file)$/.test(word) ? (args[index + 1] ?? []) : []))[0];
  const command = unwrapCommand('parallel', cut < 0 ? args : args.slice(0, cut)) ?? [];
  const texts =
    cut < 0
      ? fed.length > 0
        ? fed
        : piped || reads.length > 0 || file !== undefined
          ? (textsOf(file ?? '') ?? [MARK.unknown])
          : []
      : args.slice(cut + 1).filter((word) => !word.startsWith(':::'));
  const each = items(texts, /\n+/);
  const base = command.join(' ');
  if (base === '') return each.map((item) => handLine(item));
  if (each.length === 0) return [handLine(base)];
  return each.map((item): HandedOn => handLine(/\{.?\}/.test(base) ? base.replaceAll(/\{[^}]{0,2}\}/g, () => item) : `${base} ${item}`));
};
