import { toPrintable } from '../../base/printable.ts';
import { promptAllow, promptScan, promptShow } from '../../commands/prompt.ts';
import type { PromptPreview, ScannedFile } from '../../contracts/services/owner.ts';
import { renderCommand, type RendererRow } from './renderer.ts';
import { drawBar, formatPercent, formatWhole } from '../../base/screen/figures.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { drawTable } from '../../base/screen/table.ts';

const BAR = 16;

/** Slot by slot: first what each weighs, then its words. */
function renderPrompt(page: PromptPreview, screen: Screen): string {
  const { paint } = screen;
  const heaviest = Math.max(1, page.tools.tokens, ...page.slots.map(({ tokens }) => tokens));
  const row = (name: string, chars: number, tokens: number) => [
    name,
    formatWhole(chars),
    formatWhole(tokens),
    { text: drawBar(tokens / heaviest, BAR), paint: paint.accent },
  ];
  const columns = [
    { heading: 'slot' },
    { heading: 'chars', align: 'right' },
    { heading: 'tokens', align: 'right' },
    { heading: '' },
  ] as const;
  const rows = [
    ...page.slots.map((slot) => row(slot.name, slot.chars, slot.tokens)),
    row(`tool table (${page.tools.count})`, page.tools.chars, page.tools.tokens),
  ];
  return [
    paint.strong(`Prompt for ${toPrintable(page.platform)} on ${toPrintable(page.model)}`),
    '',
    ...drawTable(columns, rows, screen),
    '',
    weight(page, screen),
    ...page.slots.flatMap((slot) => [
      '',
      paint.accent(`── ${slot.name} ${'─'.repeat(Math.max(2, 56 - slot.name.length))}`),
      toPrintable(slot.text),
    ]),
    '',
  ].join('\n');
}

function weight({ firstRequest: { bytes, bound }, text }: PromptPreview, { paint }: Screen): string {
  const share = bytes / bound;
  const tint = bytes > bound ? paint.bad : share > 0.9 ? paint.warn : paint.good;
  return `${formatWhole(text.length)} characters in all; first request ${tint(`${drawBar(share, BAR)} ${formatWhole(bytes)} of ${formatWhole(bound)} bytes (${formatPercent(share)})`)}`;
}

/** The stable form for tools; slots stand in prompt order. */
const promptJson = ({ slots, text }: PromptPreview): unknown => ({
  slots: slots.map(({ name, lifetime, text: words, chars, tokens }) => ({ name, lifetime, text: words, chars, tokens })),
  text,
});

function renderScan(files: readonly ScannedFile[], { paint }: Screen): string {
  return files
    .flatMap(({ file, findings, allowed }) => {
      if (findings.length === 0) return [`${paint.good('✓')} ${toPrintable(file)}: nothing found`];
      const state = allowed ? paint.good('allowed by you') : 'blocked as a project file';
      return [
        `${allowed ? paint.good('✓') : paint.warn('!')} ${toPrintable(file)}: ${findings.length} found, ${state}`,
        ...findings.map(
          ({ threat, severe, line, excerpt }) =>
            `    line ${line}  ${severe ? paint.bad(threat) : paint.warn(threat)}  ${paint.faint(toPrintable(excerpt))}`,
        ),
        ...(allowed ? [] : [`    If you trust this very text: hermes prompt allow ${toPrintable(file)}`]),
      ];
    })
    .join('\n');
}

export const ROWS: readonly RendererRow[] = [
  renderCommand(promptShow, {
    text: renderPrompt,
    json: promptJson,
    notices: ({ notices }) => notices.map((words) => `hermes: ${toPrintable(words)}`),
  }),
  renderCommand(promptScan, { text: ({ files }, screen) => `${renderScan(files, screen)}\n`, json: ({ files }) => files }),
  renderCommand(promptAllow, {
    text: ({ file, allowed }) => {
      const words = allowed ? 'is allowed. If it changes, it is scanned again' : 'is scanned again from now on';
      return `${toPrintable(file)} ${words}. Running sessions keep their prompt; new ones see the change.\n`;
    },
  }),
];
