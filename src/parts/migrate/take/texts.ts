import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../../base/replace-file.ts';
import type { ScanText, TextKind } from '../../../contracts/scan.ts';
import type { ForeignHome, ForeignMemory, ForeignText } from '../foreign/foreign-home.ts';
import { have, leave, SHARED_FILE, taking, type MigrationTarget, type PlannedItem } from './target.ts';

const SOUL = 'SOUL.md';

export function planSoul({ soul }: ForeignHome, { root, shared, scan }: MigrationTarget): readonly PlannedItem[] {
  if (soul === undefined) return [];
  const findings = describeFindings(soul.text, 'soul', scan);
  const path = join(root, SOUL);
  if (shared) return [{ ...have('soul', SOUL, SHARED_FILE), ...findings }];
  if (!existsSync(path))
    return [{ kind: 'soul', name: SOUL, state: 'take', ...findings, take: taking(() => replaceFile(path, soul.text)) }];
  return readFileSync(path, 'utf8') === soul.text ? [have('soul', SOUL)] : [leave('soul', SOUL, 'your own stays')];
}

/** What nothing here reads yet is kept as a file: `folder` is where, below our home. */
export function planFiles({ cron, files }: ForeignHome, folder: string, { root, shared }: MigrationTarget): readonly PlannedItem[] {
  if (shared)
    return [...cron, ...files].map(({ name }) => have(cron.some((job) => job.name === name) ? 'cron' : 'files', name, SHARED_FILE));
  return [
    ...cron.map((file) => planFile('cron', file, `kept in ${folder}; make jobs of it with hermes cron add`)),
    ...files.map((file) => planFile('files', file, `kept in ${folder}; the agent does not read it by itself`)),
  ];

  function planFile(kind: 'cron' | 'files', { name, text }: ForeignText, why: string): PlannedItem {
    const path = join(root, folder, name);
    if (existsSync(path) && readFileSync(path, 'utf8') === text) return have(kind, name);
    return { kind, name, state: 'take', why, changes: join(folder, name), take: taking(() => replaceFile(path, text)) };
  }
}

/** Entry by entry: one that the scan refuses, or for which there is no room, does not keep the others out. */
export async function planMemories(
  { memories }: ForeignHome,
  { memory, shared, scan }: MigrationTarget,
  config: string,
): Promise<readonly PlannedItem[]> {
  if (shared) return memories.flatMap(haveAll);
  return (await Promise.all(memories.map(planEntries))).flat();

  function haveAll({ name, entries }: ForeignMemory): PlannedItem[] {
    return entries.map((entry, index) => ({
      ...have('memories', nameEntry(name, index), SHARED_FILE),
      ...describeFindings(entry, 'memory', scan),
    }));
  }

  async function planEntries({ target, name, entries }: ForeignMemory): Promise<PlannedItem[]> {
    const items = entries.map((entry, index) => ({
      entry,
      item: { kind: 'memories', name: nameEntry(name, index), ...describeFindings(entry, 'memory', scan) } as const,
    }));
    const clean = items.filter(({ item }) => item.findings === undefined);
    const previews = await memory.preview(
      target,
      clean.map(({ entry }) => entry),
      config,
    );
    const byEntry = new Map(clean.map(({ entry }, index) => [entry, previews[index]]));
    return items.map(({ entry, item }): PlannedItem => {
      const preview = byEntry.get(entry) ?? { state: 'left', why: 'the scan found something in it' };
      if (preview.state !== 'take') return { ...item, ...preview };
      const take = async () => {
        const refusal = await memory.add(target, entry);
        return refusal === undefined ? undefined : ({ state: 'left', why: refusal } as const);
      };
      return { ...item, ...preview, changes: memory.pathOf(target), take };
    });
  }
}

const nameEntry = (file: string, index: number): string => `${file} entry ${index + 1}`;

export function describeFindings(text: string, kind: TextKind, scan: ScanText): { readonly findings?: readonly string[] } {
  const findings = scan(text, kind).map(({ threat, line, excerpt }) => `line ${line}: ${threat} (${excerpt})`);
  return findings.length === 0 ? {} : { findings };
}
