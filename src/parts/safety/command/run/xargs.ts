import { fromOutside, MARK } from '../values/marks.ts';
import { fillPath } from './find.ts';
import { type FindNestedActions, toCommandAction } from '../call/call.ts';
import { unwrapCommand } from './wrappers.ts';

/** Items read from a text; more than these are judged by the first of them and as unknown. */
const MAX_ITEMS = 12;

function items(texts: readonly string[], piece: RegExp): string[] {
  const all = texts.flatMap((text) => fromOutside(text).split(piece)).filter((item) => item !== '');
  return all.length > MAX_ITEMS ? [...all.slice(0, MAX_ITEMS), MARK.unknown] : all;
}

/** `findXargsCommands`: the command behind it with what it is fed. */
export const findXargsCommands: FindNestedActions = ({ args: all, fed, reads, piped }, textsOf) => {
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
    return each.map((item) => toCommandAction([...base, item]));
  if (hole === undefined) return [toCommandAction([...base, ...each])];
  return each.length === 0 ? [toCommandAction(base)] : each.map((item) => toCommandAction(fillPath(base, item, hole)));
};

function replacement(args: readonly string[]): string | undefined {
  const at = args.findIndex((word) => /^-[Ii]|^--replace/.test(word));
  const flag = args[at];
  if (flag === undefined) return undefined;
  if (flag === '-I') return args[at + 1] ?? '{}';
  return /^(?:-[Ii]|--replace=?)(.*)$/.exec(flag)?.[1] || '{}';
}
