import { toErrorMessage } from '../../../base/errors.ts';
import { toPrintable } from '../../../base/printable.ts';
import {
  TERMINAL_SLOTS,
  type ExtensionKey,
  type LayoutSlot,
  type StyleRule,
  type TerminalExtension,
  type TerminalHandle,
  type TerminalSlot,
} from '../../../contracts/terminal-extension.ts';
import type { DrawContext, Widget } from '../contract.ts';

/** What extensions add, each kept from harming the rest. */
export interface Extensions {
  /** Their widgets, one below the other. */
  readonly extras: Widget;
  readonly statusFields: Readonly<Record<string, () => string>>;
  readonly keys: readonly OwnedKey[];
  readonly styles: Readonly<Record<string, StyleRule>>;
  /** The slots in the order in which they are drawn. */
  readonly layout: readonly LayoutSlot[];
  /** Draws what a layout puts around a slot. */
  wrap(slot: LayoutSlot, lines: readonly string[], columns: number): readonly string[];
  /** Whether one of them has handled the line. */
  command(line: string): Promise<boolean>;
}
export interface OwnedKey extends ExtensionKey {
  readonly owner: string;
}

/** What nobody may take off the screen: questions, and the place to type. */
const KEPT: readonly TerminalSlot[] = ['sudo', 'secret', 'approval', 'clarify', 'input'];
/** What nobody may draw around: somebody else's words must not stand beside a question. */
const UNWRAPPED: readonly TerminalSlot[] = ['sudo', 'secret', 'approval', 'clarify'];

/** Takes up extensions in their order. One that throws, now or later, is switched off and named. */
export function openExtensions(
  extensions: readonly TerminalExtension[],
  terminal: TerminalHandle,
  notice: (text: string) => void,
): Extensions {
  const off = new Set<TerminalExtension>();
  const switchOff = (extension: TerminalExtension, why: string): void => {
    if (off.has(extension)) return;
    off.add(extension);
    notice(`The extension ${toPrintable(extension.name)} is switched off: ${toPrintable(why)}`);
  };
  function attempt<Result>(extension: TerminalExtension, fallback: Result, work: () => Result): Result {
    if (off.has(extension)) return fallback;
    try {
      return work();
    } catch (error) {
      switchOff(extension, toErrorMessage(error));
      return fallback;
    }
  }
  for (const extension of extensions) attempt(extension, undefined, () => extension.setup?.(terminal));
  const owners = new Map<LayoutSlot, TerminalExtension>();
  return {
    extras: { render: (context) => extensions.flatMap((one) => attempt(one, [], () => renderWidgets(one, context))) },
    statusFields: Object.fromEntries(
      extensions.flatMap((one) =>
        Object.entries(one.statusFields ?? {}).map(([name, read]) => [name, () => attempt(one, '', () => toStyledLine(read()))]),
      ),
    ),
    keys: extensions.flatMap((one) =>
      (one.keys ?? []).map((key) => ({ ...key, owner: one.name, run: (handle) => attempt(one, undefined, () => key.run(handle)) })),
    ),
    styles: Object.assign({}, ...extensions.map(({ styles }) => styles)),
    layout: extensions.reduce<readonly LayoutSlot[]>(
      (slots, one) => attempt(one, slots, () => arrange(one, slots, owners)),
      TERMINAL_SLOTS.map((slot) => ({ slot })),
    ),
    wrap: (slot, lines, columns) => {
      const owner = owners.get(slot);
      return owner === undefined ? lines : attempt(owner, lines, () => wrapSlot(slot, lines, columns));
    },
    command: async (line) => {
      for (const one of extensions) {
        const handled = Promise.resolve(attempt(one, false, () => one.command?.(line, terminal) ?? false));
        if (await handled.catch((error: unknown) => (switchOff(one, toErrorMessage(error)), false))) return true;
      }
      return false;
    },
  };

  function arrange(extension: TerminalExtension, slots: readonly LayoutSlot[], known: Map<LayoutSlot, TerminalExtension>) {
    const wanted = extension.layout?.(slots);
    if (wanted === undefined) return slots;
    const names = wanted.map(({ slot }) => slot);
    const missing = KEPT.filter((slot) => !names.includes(slot));
    if (missing.length > 0) throw new Error(`its layout leaves out ${missing.join(', ')}, which must stay on the screen.`);
    if (new Set(names).size !== names.length) throw new Error('its layout has a slot twice.');
    const unknown = names.find((name) => !TERMINAL_SLOTS.includes(name));
    if (unknown !== undefined) throw new Error(`its layout names ${unknown}, which is no slot.`);
    const wrapped = wanted.find(({ slot, wrap }) => wrap !== undefined && UNWRAPPED.includes(slot));
    if (wrapped !== undefined) throw new Error(`its layout draws around ${wrapped.slot}, which must stay as it is.`);
    for (const slot of wanted) if (slot.wrap !== undefined && !known.has(slot)) known.set(slot, extension);
    return wanted;
  }
}

function renderWidgets({ widgets = [] }: TerminalExtension, { columns, style }: DrawContext): string[] {
  return widgets.filter(({ visible }) => visible?.() ?? true).flatMap((widget) => widget.render(columns, style).map(toStyledLine));
}

/** The slot's own lines must all still be there, in their order. */
function wrapSlot({ slot, wrap }: LayoutSlot, lines: readonly string[], columns: number): readonly string[] {
  const drawn = wrap?.(lines, columns) ?? lines;
  let next = 0;
  for (const line of drawn) if (line === lines[next]) next += 1;
  if (next < lines.length) throw new Error(`its layout changes what the slot ${slot} shows.`);
  let own = 0;
  return drawn.map((line) => (line === lines[own] ? ((own += 1), line) : toStyledLine(line)));
}

/** Text of an extension in one line: styles stay, every other control character goes. */
export const toStyledLine = (text: string): string => text.split(STYLES).map(toPart).join('');
// oxlint-disable-next-line no-control-regex -- styles are control sequences
const STYLES = /(\u001b\[[\d;]*m)/;
const toPart = (part: string, index: number): string => (index % 2 === 1 ? part : toPrintable(part).replaceAll('\n', ' '));
