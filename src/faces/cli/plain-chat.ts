import { CHAT_OPTIONS, type ChatValues } from '../../commands/chat.ts';
import { formatOptionName } from '../../commands/usage-line.ts';
import type { CommandParameter, ParameterValue } from '../../contracts/command.ts';

/**
 * The values of a plain `chat` command line: options written out, each once, values after a space. Anything else gives
 * `undefined` and is commander's to judge, which takes 7 ms longer and knows every spelling and every complaint.
 */
export function parsePlainChat(argv: readonly string[]): ChatValues | undefined {
  if (argv[0] !== 'chat') return undefined;
  const values: Record<string, ParameterValue> = {};
  for (let index = 1; index < argv.length; index++) {
    const found = OPTIONS.find(([key, one]) => namesOf(key, one).includes(argv[index] ?? ''));
    if (found === undefined) return undefined;
    const [key, one] = found;
    const value = one.kind === 'flag' ? true : read(one, argv[++index]);
    if (value === undefined || key in values || (one.conflicts ?? '') in values) return undefined;
    values[key] = value;
  }
  return values;
}

const OPTIONS: readonly (readonly [string, CommandParameter])[] = Object.entries(CHAT_OPTIONS);
const namesOf = (key: string, { letter }: CommandParameter): string[] => [
  formatOptionName(key),
  ...(letter === undefined ? [] : [`-${letter}`]),
];

function read(one: CommandParameter, value: string | undefined): string | number | undefined {
  if (value === undefined || value.startsWith('-')) return undefined;
  if (one.kind === 'whole_number') return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  return one.kind !== 'choice' || one.choices.includes(value) ? value : undefined;
}
