import { resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { homeAt } from '../../base/home.ts';
import { renderEmptied, renderRestored, renderTrash, trashJson } from '../../faces/cli/trash.ts';
import type { JsonFlag } from '../../faces/cli/verbs.ts';
import type { Trash } from '../../parts/safety/trash/trash.ts';
import { loadConfig } from '../config.ts';
import { processScreen } from '../screen.ts';
import { environment } from '../../parts/config/environment.ts';
import { trashOf } from '../../parts/safety/checkpoints/open.ts';

export async function list(flags: JsonFlag): Promise<number> {
  const trash = await opened();
  await trash.prune();
  const rows = trash.list();
  const screen = processScreen();
  if (flags.json === true) screen.json(rows.map(trashJson));
  else screen.out(renderTrash(rows, screen));
  return 0;
}

export async function restore(id: string, flags: JsonFlag & { readonly to?: string }): Promise<number> {
  const path = await (await opened()).restore(id, flags.to === undefined ? undefined : resolve(flags.to));
  const screen = processScreen();
  if (flags.json === true) screen.json({ path });
  else screen.out(renderRestored(path));
  return 0;
}

export async function empty(flags: JsonFlag & { readonly yes?: boolean }): Promise<number> {
  if (flags.yes !== true) throw new UsageError('this deletes everything in the trash for good; say so with --yes.');
  const gone = await (await opened()).empty();
  const screen = processScreen();
  if (flags.json === true) screen.json(gone);
  else screen.out(renderEmptied(gone.things, gone.bytes));
  return 0;
}

async function opened(): Promise<Trash> {
  const home = homeAt(process.env);
  const { settings } = await loadConfig(home.config, environment(home.env, process.env));
  return trashOf(home, settings);
}
