import { isObject, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import type { MenuCommand } from '../../contracts/platform-adapter.ts';
import { listAt } from './channels.ts';
import type { DiscordRest } from './rest.ts';

const MAX_COMMANDS = 100;
const MAX_SUMMARY = 100;

/** The menu as Discord keeps it. Every command takes one line of words. */
export const menuOf = (commands: readonly MenuCommand[]): JsonObject[] =>
  commands
    .filter(({ name }) => /^[-_\p{Ll}\p{Lo}\p{N}]{1,32}$/u.test(name))
    .slice(0, MAX_COMMANDS)
    .map(({ name, summary }) => ({
      name,
      type: 1,
      description: summary.slice(0, MAX_SUMMARY).toWellFormed() || name,
      options: [{ name: 'arguments', description: 'What follows the command', type: 3, required: false }],
    }));

/** Makes the menu this one. Nothing is written when it is so already. Says what went wrong. */
export async function publishMenu(rest: DiscordRest, wanted: readonly JsonObject[], signal: AbortSignal): Promise<string | undefined> {
  const about = await rest.call('GET', '/applications/@me', { signal });
  if (about.type !== 'ok') return explain(about);
  const path = `/applications/${readStringAt(about.body, 'id')}/commands`;
  const known = await rest.call('GET', path, { signal });
  if (known.type !== 'ok') return explain(known);
  if (isSame(wanted, Array.isArray(known.body) ? known.body : [])) return undefined;
  // Commands that stay the same keep their ids, and count for nothing in Discord's daily limit.
  const written = await rest.call('PUT', path, { body: [...wanted], signal });
  return written.type === 'ok' ? undefined : explain(written);
}

const explain = (answer: object): string => ('why' in answer ? String(answer.why) : 'too many calls');

/** The same commands, whatever Discord adds to its description of them. */
function isSame(wanted: readonly Json[], known: readonly Json[]): boolean {
  const shape = (commands: readonly Json[]) => JSON.stringify(commands.map(shapeOf).toSorted());
  return shape(wanted) === shape(known);
}
const shapeOf = (command: Json): string =>
  JSON.stringify([readStringAt(command, 'name'), readStringAt(command, 'description'), listAt(command, 'options').map(optionShape)]);
const optionShape = (option: Json): Json =>
  isObject(option) ? [option['name'] ?? null, option['type'] ?? null, option['required'] === true] : null;
