import { readStringAt, toStableJson } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import type { MenuCommand } from '../../contracts/platform-adapter.ts';
import type { TelegramClient } from './client.ts';

const MAX_COMMANDS = 100;
const MAX_DESCRIPTION = 256;

/** Writes the menu when it is another one than Telegram has. */
export async function publishMenu(client: TelegramClient, commands: readonly MenuCommand[], signal: AbortSignal): Promise<void> {
  const wanted = toMenu(commands);
  const there = await client.call('getMyCommands', {}, { signal });
  if (there.type !== 'ok') return;
  const has = (Array.isArray(there.result) ? there.result : []).map((each: Json) => ({
    command: readStringAt(each, 'command') ?? '',
    description: readStringAt(each, 'description') ?? '',
  }));
  if (toStableJson(has) !== toStableJson(wanted)) await client.call('setMyCommands', { commands: wanted }, { signal });
}

/** Names there have small letters, digits and `_` alone; the first of two that come to the same name stays. */
export function toMenu(commands: readonly MenuCommand[]): { readonly command: string; readonly description: string }[] {
  const named = commands.map(({ name, summary }) => ({
    command: name.toLowerCase().replaceAll('-', '_'),
    description: (summary === '' ? name : summary).slice(0, MAX_DESCRIPTION),
  }));
  const valid = named.filter(({ command }) => /^[a-z0-9_]{1,32}$/.test(command));
  return valid.filter(({ command }, at) => valid.findIndex((each) => each.command === command) === at).slice(0, MAX_COMMANDS);
}
