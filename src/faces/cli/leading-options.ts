import { CHAT_OPTIONS } from '../../commands/chat.ts';
import { formatOptionName } from '../../commands/usage-line.ts';

const FLAGS: ReadonlySet<string> = new Set(
  Object.entries(CHAT_OPTIONS).flatMap(([key, option]) =>
    option.kind === 'flag' ? [formatOptionName(key), ...('letter' in option ? [`-${option.letter}`] : [])] : [],
  ),
);

/** Flags of `chat` may stand before its name, as programs that drive Hermes write them: `hermes --yolo chat -q …`. */
export function moveLeadingFlags(argv: readonly string[]): readonly string[] {
  const name = argv.findIndex((word) => !FLAGS.has(word));
  return name > 0 && argv[name] === 'chat' ? ['chat', ...argv.slice(0, name), ...argv.slice(name + 1)] : argv;
}
