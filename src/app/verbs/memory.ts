import { UsageError } from '../../base/errors.ts';
import { homeAt } from '../../base/home.ts';
import { printable } from '../../base/printable.ts';
import type { MemoryOperation, MemoryTarget } from '../../contracts/memory.ts';
import { memoryJson, renderMemory } from '../../faces/cli/memory.ts';
import type { JsonFlag } from '../../faces/cli/verbs.ts';
import { changeMemory } from '../../parts/memory/change-memory.ts';
import { readMemory } from '../../parts/memory/read-memory.ts';
import { memoryFolder, storeOf, TARGETS, type MemoryPlace } from '../../parts/memory/stores.ts';
import { loadConfig } from '../config.ts';
import { openSafety } from '../../parts/safety/scan/open.ts';
import { processScreen } from '../screen.ts';
import { environment } from '../../parts/config/environment.ts';
import { makeHome, storeNotice } from '../host/store.ts';

export async function list(flags: JsonFlag): Promise<number> {
  const view = readMemory(await place());
  const screen = processScreen();
  if (flags.json === true) screen.json(memoryJson(view));
  else screen.out(renderMemory(view, screen));
  return 0;
}

export const add = async (target: string, content: string): Promise<number> => change(target, { action: 'add', content });

/** By its number in the list, or by words that only one entry has. */
export async function remove(target: string, entry: string): Promise<number> {
  const store = readMemory(await place()).find((each) => each.target === targetOf(target));
  const numbered = /^\d+$/.test(entry) ? store?.entries[Number(entry) - 1]?.text : undefined;
  return change(target, { action: 'remove', oldText: numbered ?? entry });
}

export async function path(): Promise<number> {
  processScreen().out(`${memoryFolder(homeAt(process.env).root)}\n`);
  return 0;
}

async function change(target: string, operation: MemoryOperation): Promise<number> {
  const where = await place();
  const result = await changeMemory(where, targetOf(target), [operation], {});
  if (!result.ok) throw new UsageError(printable(result.words));
  const { effects, used, limit } = result;
  const did = effects.map((effect) => `${effect.did}: ${printable(effect.text)}`).join('\n');
  const { enabled, setting } = storeOf(targetOf(target), where);
  const when = enabled ? 'New sessions will see it; running ones keep their prompt.' : `No session sees it: ${setting} is off.`;
  processScreen().out(`${did}\n${used} of ${limit} characters. ${when}\n`);
  return 0;
}

function targetOf(name: string): MemoryTarget {
  const found = TARGETS.find((target) => target === name);
  if (found === undefined) throw new UsageError(`there is no memory ${name}; there are ${TARGETS.join(' and ')}.`);
  return found;
}

async function place(): Promise<MemoryPlace> {
  const home = homeAt(process.env);
  makeHome(home);
  const { settings } = await loadConfig(home.config, environment(home.env, process.env));
  const safety = openSafety(home, storeNotice);
  return { home: home.root, settings, scan: await safety.scan(), admit: await safety.admit() };
}
