import { groupByCategory } from '../../../commands/category.ts';
import type { ChatCommandDeps, CommandWords, TypedCommand } from './typed-command.ts';

type OwnHelpDeps = Pick<ChatCommandDeps, 'own' | 'host'>;

/** `/help NAME` for a command that only a gateway has. Those are the owner's: what others may use, every face has. */
export async function explainOwn(
  { name, args }: CommandWords,
  { address }: Pick<TypedCommand, 'address'>,
  deps: OwnHelpDeps,
): Promise<string | undefined> {
  if (name !== 'help' || address.role !== 'owner') return undefined;
  const wanted = args.replace(/^\//, '').toLowerCase();
  const row = (await listOwn(deps)).find((each) => each.name === wanted);
  return row && `/${row.name}: ${row.summary}`;
}

/** The commands that only a gateway has, below those of every face. */
export async function addOwn(help: string, deps: OwnHelpDeps): Promise<string> {
  const rows = (await listOwn(deps)).map(({ name, summary }) => `  /${name}: ${summary}`);
  return rows.length === 0 ? help : [help, '', 'Only in chats', ...rows].join('\n');
}

async function listOwn({ own, host }: OwnHelpDeps): Promise<readonly { readonly name: string; readonly summary: string }[]> {
  const shared = new Set((await host.commands.list('chat')).flatMap(({ name, aliases }) => [`/${name}`, ...aliases]));
  return Object.entries(own).flatMap(([name, { summary }]) => (shared.has(`/${name}`) ? [] : [{ name, summary }]));
}

/** One message of any service, with room for what others add. */
const MAX_SHORT = 3_500;

/** What can be typed, in one message: what each does, or where that is too much its name alone. `/commands` has all of it. */
export async function shortHelp(deps: OwnHelpDeps): Promise<string> {
  const own = (await listOwn(deps)).map((row) => ({ ...row, category: 'conversation' as const }));
  const groups = groupByCategory([...(await deps.host.commands.list('chat')), ...own]);
  const more = '/help NAME explains one. /commands lists all with their arguments.';
  const full = groups.map(({ title, rows }) => [title, ...rows.map(({ name, summary }) => `  /${name}: ${summary}`)].join('\n'));
  const short = groups.map(({ title, rows }) => `${title}\n  ${rows.map(({ name }) => `/${name}`).join(' ')}`);
  const words = [...full, more].join('\n\n');
  return words.length <= MAX_SHORT ? words : [...short, more].join('\n\n');
}
