import { printable } from '../../base/printable.ts';
import { promptAllow, promptScan, promptShow } from '../../commands/prompt.ts';
import type { PromptPage, ScannedFile } from '../../contracts/services/owner.ts';
import { renders, type RendererRow } from './renderer.ts';
import { bar, percent, whole } from '../../base/screen/figures.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { table } from '../../base/screen/table.ts';

const BAR = 16;

/** Slot by slot: first what each weighs, then its words. */
function renderPrompt(page: PromptPage, screen: Screen): string {
  const { paint } = screen;
  const heaviest = Math.max(1, page.tools.tokens, ...page.slots.map(({ tokens }) => tokens));
  const row = (name: string, chars: number, tokens: number) => [
    name,
    whole(chars),
    whole(tokens),
    { text: bar(tokens / heaviest, BAR), paint: paint.accent },
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
    paint.strong(`Prompt for ${printable(page.platform)} on ${printable(page.model)}`),
    '',
    ...table(columns, rows, screen),
    '',
    weight(page, screen),
    ...page.slots.flatMap((slot) => [
      '',
      paint.accent(`── ${slot.name} ${'─'.repeat(Math.max(2, 56 - slot.name.length))}`),
      printable(slot.text),
    ]),
    '',
  ].join('\n');
}

function weight({ firstRequest: { bytes, bound }, text }: PromptPage, { paint }: Screen): string {
  const share = bytes / bound;
  const tint = bytes > bound ? paint.bad : share > 0.9 ? paint.warn : paint.good;
  return `${whole(text.length)} characters in all; first request ${tint(`${bar(share, BAR)} ${whole(bytes)} of ${whole(bound)} bytes (${percent(share)})`)}`;
}

/** The stable form for tools; slots stand in prompt order. */
const promptJson = ({ slots, text }: PromptPage): unknown => ({
  slots: slots.map(({ name, lifetime, text: words, chars, tokens }) => ({ name, lifetime, text: words, chars, tokens })),
  text,
});

function renderScan(files: readonly ScannedFile[], { paint }: Screen): string {
  return files
    .flatMap(({ file, findings, allowed }) => {
      if (findings.length === 0) return [`${paint.good('✓')} ${printable(file)}: nothing found`];
      const state = allowed ? paint.good('allowed by you') : 'blocked as a project file';
      return [
        `${allowed ? paint.good('✓') : paint.warn('!')} ${printable(file)}: ${findings.length} found, ${state}`,
        ...findings.map(
          ({ threat, severe, line, excerpt }) =>
            `    line ${line}  ${severe ? paint.bad(threat) : paint.warn(threat)}  ${paint.faint(printable(excerpt))}`,
        ),
        ...(allowed ? [] : [`    If you trust this very text: hermes prompt allow ${printable(file)}`]),
      ];
    })
    .join('\n');
}

export const ROWS: readonly RendererRow[] = [
  renders(promptShow, {
    text: renderPrompt,
    json: promptJson,
    notices: ({ notices }) => notices.map((words) => `hermes: ${printable(words)}`),
  }),
  renders(promptScan, { text: ({ files }, screen) => `${renderScan(files, screen)}\n`, json: ({ files }) => files }),
  renders(promptAllow, {
    text: ({ file, allowed }) => {
      const words = allowed ? 'is allowed as it stands; any change of it is judged anew' : 'is judged by the scanner again';
      return `${printable(file)} ${words}. Sessions that run keep their prompt; new ones see the change.\n`;
    },
  }),
];
