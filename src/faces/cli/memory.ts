import { toOneLine, toPrintable } from '../../base/printable.ts';
import { isProjectSource } from '../../contracts/message.ts';
import type { MemoryEntryView, MemoryStoreView, MemoryTarget } from '../../contracts/memory.ts';
import { drawBar, formatCount, formatPercent, formatWhole } from '../../base/screen/figures.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { memoryAdd, memoryList, memoryPath, memoryRemove } from '../../commands/memory.ts';
import { describeMemoryStatus, memoryExport, memoryImport, memoryOff, memorySetup, memoryStatus } from '../../commands/memory-provider.ts';
import type { MemoryChangeView } from '../../contracts/services/owner.ts';
import { renderCommand, type CommandRenderer, type RendererRow } from './renderer.ts';
import { formatAgo } from '../../base/screen/when.ts';
import { wrapText } from '../../base/screen/wrap.ts';

const TITLES: Readonly<Record<MemoryTarget, string>> = { memory: 'Memory', user: 'User' };
const BAR = 20;

export const renderMemory = (view: readonly MemoryStoreView[], screen: Screen): string =>
  `${view.map((store) => storeLines(store, screen).join('\n')).join('\n\n')}\n`;

function storeLines(store: MemoryStoreView, screen: Screen): string[] {
  const { paint, columns } = screen;
  const share = store.used / store.limit;
  const tint = share > 1 ? paint.bad : share > 0.9 ? paint.warn : paint.good;
  const figures = `${formatPercent(share)}  ${formatWhole(store.used)} of ${formatWhole(store.limit)} characters, ${formatCount(store.entries.length, 'entry', 'entries')}`;
  const notes = [
    ...(store.enabled ? [] : [paint.warn('disabled: the model cannot read or change it')]),
    ...(store.trouble === undefined ? [] : wrapText(toOneLine(store.trouble), columns).map(paint.bad)),
    ...(store.entries.length === 0 && store.trouble === undefined ? [paint.faint('nothing yet')] : []),
  ];
  const digits = String(store.entries.length).length;
  return [
    `${paint.strong(TITLES[store.target].padEnd(6))}  ${tint(drawBar(share, BAR))}  ${figures}`,
    paint.faint(toPrintable(store.path)),
    ...notes,
    ...store.entries.flatMap((entry, index) => entryLines(entry, `${String(index + 1).padStart(digits)}  `, screen)),
  ];
}

function entryLines(entry: MemoryEntryView, number: string, { paint, columns, now }: Screen): string[] {
  const room = columns - number.length;
  const sources = entry.source?.foreign ?? [];
  const foreign = sources.filter((source) => !isProjectSource(source));
  const project = sources.filter(isProjectSource);
  const notes = [
    ...wrapText(originOf(entry, now), room).map(paint.faint),
    ...(foreign.length === 0
      ? []
      : wrapText(`written after reading outside content: ${toOneLine(foreign.join(', '))}`, room).map(paint.warn)),
    ...(project.length === 0 ? [] : wrapText(`written after reading ${toOneLine(project.join(', '))}`, room).map(paint.faint)),
    ...(entry.blocked === undefined ? [] : wrapText(`blocked, not shown to the model: ${toOneLine(entry.blocked)}`, room).map(paint.bad)),
  ];
  const indent = ' '.repeat(number.length);
  const lines = [
    ...toPrintable(entry.text)
      .split('\n')
      .flatMap((line) => wrapText(line, room)),
    ...notes,
  ];
  return lines.map((line, index) => (index === 0 ? paint.accent(number) : indent) + line);
}

function originOf({ source, at }: MemoryEntryView, now: number): string {
  const who = source === undefined ? 'written by hand' : `session ${toOneLine(source.sessionId)}`;
  return at === undefined ? who : `${who}, ${formatAgo(at, now)}`;
}

/** One row for each entry, as scripts read it. Numbers are from 1, as on the screen. */
export const toMemoryJson = (view: readonly MemoryStoreView[]) =>
  view.flatMap(({ target, entries }) =>
    entries.map(({ text, chars, source, at, blocked }, index) => ({
      target,
      index: index + 1,
      text,
      chars,
      session_id: source?.sessionId ?? null,
      turn_id: source?.turnId ?? null,
      at: at === undefined ? null : new Date(at).toISOString(),
      foreign: source?.foreign ?? [],
      blocked: blocked !== undefined,
    })),
  );

const changed: CommandRenderer<Extract<MemoryChangeView, { ok: true }>> = {
  text: ({ effects, used, limit, enabled, setting }) => {
    const did = effects.map((effect) => `${effect.did}: ${toPrintable(effect.text)}`).join('\n');
    const when = enabled ? 'New sessions will see it; running ones keep their prompt.' : `No session sees it: ${setting} is off.`;
    return `${did}\n${used} of ${limit} characters. ${when}\n`;
  },
};
export const ROWS: readonly RendererRow[] = [
  renderCommand(memoryList, { text: renderMemory, json: toMemoryJson }),
  renderCommand(memoryAdd, changed),
  renderCommand(memoryRemove, changed),
  renderCommand(memoryPath, { text: ({ path }) => `${path}\n` }),
  renderCommand(memorySetup, { text: (result) => `${memorySetup.describe?.(result)}\n` }),
  renderCommand(memoryStatus, { text: (result) => `${describeMemoryStatus(result)}\n` }),
  renderCommand(memoryOff, { text: (result) => `${memoryOff.describe?.(result)}\n` }),
  renderCommand(memoryExport, { text: ({ text, count, file }) => text ?? `${count} facts are in ${file}.\n` }),
  renderCommand(memoryImport, { text: (result) => `${memoryImport.describe?.(result)}\n` }),
];
