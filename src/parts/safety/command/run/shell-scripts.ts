import { fromOutside } from '../values/marks.ts';
import { type Call, type FindNestedActions, type NestedAction, toLineAction } from '../call/call.ts';

export const SHELL = /^(?:r?ba|da|z|k|mk|pdk|a|fi|c|tc|ya|o|elvi|nu)?sh[\d.-]*$|^(?:pwsh|powershell|xonsh|nu)$/;
const VALUE_FLAGS = new Set(['-o', '+o', '-O', '+O', '--rcfile', '--init-file']);

/** What a shell is told to run: by `-c`, in a file this line wrote, or through its input. */
export const findShellScripts: FindNestedActions = ({ args, fed, piped, reads }, textsOf) => {
  let at = 0;
  let command = false;
  for (; at < args.length && /^[-+]./.test(args[at] ?? '') && args[at] !== '--'; at++) {
    const word = args[at] ?? '';
    if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(word) || /^-{1,2}command$/i.test(word)) command = true;
    if (VALUE_FLAGS.has(word)) at++;
  }
  if (args[at] === '--') at++;
  const [first, ...rest] = args.slice(at);
  if (command)
    return first === undefined
      ? []
      : [{ type: 'line', line: first, apart: true, positional: rest, ...(rest[0] !== undefined && { zero: rest[0] }) }];
  const fromInput = first === undefined || first === '-' || first === '/dev/stdin' || args.some((word) => /^-[a-z]*s[a-z]*$/.test(word));
  if (!fromInput)
    return (textsOf(first) ?? []).map((text): NestedAction => ({
      type: 'line',
      line: fromOutside(text),
      apart: true,
      positional: ['', ...rest],
      zero: first,
    }));
  const texts = [...(piped || fed.length > 0 ? fed : []), ...reads.flatMap((file) => textsOf(file) ?? [])];
  return texts.map((text) => toLineAction(fromOutside(text)));
};

/** `su -c`, `script -c` and their like: one word behind a flag. */
export const takeFlagCommand =
  (...flags: readonly string[]): FindNestedActions =>
  ({ args }) =>
    args.flatMap((word, index) => {
      const next = args[index + 1];
      if (flags.includes(word)) return next === undefined ? [] : [toLineAction(next)];
      const joined = flags.find((flag) => word.startsWith(flag.startsWith('--') ? `${flag}=` : flag) && word !== flag);
      if (joined === undefined) return [];
      return [toLineAction(word.slice(joined.startsWith('--') ? joined.length + 1 : joined.length))];
    });

/** The words from the first operand on, as one line. */
export const joinOperands = (list: readonly string[]): NestedAction[] => (list.length === 0 ? [] : [toLineAction(list.join(' '))]);

/** What it is fed is a line for later. */
export const findFedLines: FindNestedActions = ({ fed, piped }: Call) =>
  piped || fed.length > 0 ? fed.map((text) => toLineAction(text)) : [];
