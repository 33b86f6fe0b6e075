import { CHAT_OPTIONS, type ChatOption } from './chat-options.ts';
import type { ChatFlags } from './verbs.ts';

/**
 * The flags of a plain `chat` command line: options written out, each once, values after a space. Anything else gives
 * `undefined` and is commander's to judge, which takes 7 ms longer and knows every spelling and every complaint.
 */
export function plainChat(argv: readonly string[]): ChatFlags | undefined {
  if (argv[0] !== 'chat') return undefined;
  const flags: Record<string, string | number | boolean> = {};
  for (let index = 1; index < argv.length; index++) {
    const option = CHAT_OPTIONS.find((row) => namesOf(row).includes(argv[index] ?? ''));
    if (option === undefined) return undefined;
    const key = keyOf(option);
    const value = takesValue(option) ? read(option, argv[++index]) : true;
    if (value === undefined || key in flags || (option.conflicts ?? '') in flags) return undefined;
    flags[key] = value;
  }
  return flags;
}

const namesOf = ({ flags }: ChatOption): string[] => flags.split(/[ ,]+/).filter((word) => word.startsWith('-'));
const takesValue = ({ flags }: ChatOption): boolean => flags.endsWith('>');

/** `--base-url` is `baseUrl` in the flags, as commander has it. */
const keyOf = (option: ChatOption): string =>
  (namesOf(option).at(-1) ?? '').slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function read({ choices, kind }: ChatOption, value: string | undefined): string | number | undefined {
  if (value === undefined || value.startsWith('-')) return undefined;
  if (kind === 'whole number') return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  return choices === undefined || choices.includes(value) ? value : undefined;
}
