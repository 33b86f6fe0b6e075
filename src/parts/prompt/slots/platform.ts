import type { Platform } from '../../../contracts/platform.ts';
import type { PromptSlot } from '../../../contracts/prompt.ts';
import { PLATFORMS } from './platforms/all.ts';
import type { TerminalInfo } from '../../../contracts/terminal.ts';
import { FILE_TOOLS } from './place-tools.ts';
import type { SourceText } from './source.ts';

interface PlatformOptions {
  readonly hints: Readonly<Record<string, unknown>>;
  /** Those that are described; ours when left out. */
  readonly platforms?: ReadonlyMap<string, Platform>;
  /** Where commands run and files lie; absent for this machine itself. */
  readonly place?: TerminalInfo;
}

/** What is special about the place the answer goes to; a child's answer goes to another agent. `hints` is the setting platform_hints, as the owner wrote it. */
export const platformSlot = ({ hints, platforms = new Map(Object.entries(PLATFORMS)), place }: PlatformOptions): PromptSlot => ({
  name: 'platform',
  order: 70,
  lifetime: 'session',
  cap: 8_000,
  render: ({ platform, tools, role }) => {
    if (role === 'child') return undefined;
    const ours = platforms.get(platform);
    const text = ours === undefined ? '' : words(ours, tools, place === undefined || place.onThisMachine === true);
    return Object.hasOwn(hints, platform) ? changed(platform, text, hints[platform]) : text || undefined;
  },
});

const words = (
  { platform, markup, media, own, local = '', tools = {} }: Platform,
  there: readonly string[],
  onThisMachine: boolean,
): string => {
  const withTools = Object.entries(tools).flatMap(([tool, text]) => (there.includes(tool) ? [text] : []));
  const files = onThisMachine && FILE_TOOLS.some((tool) => there.includes(tool)) ? local : '';
  return [platform, markup, media, files, own, ...withTools].filter(Boolean).join(' ');
};

/** A text is added; a table says whether to add or to replace, and replace wins. */
function changed(platform: string, ours: string, hint: unknown): SourceText {
  const { append, replace } = typeof hint === 'object' && hint !== null ? fields(hint) : { append: hint };
  if (typeof replace === 'string') return { text: replace.trim(), notices: [] };
  if (typeof append === 'string') return { text: [ours, append.trim()].filter(Boolean).join('\n'), notices: [] };
  return {
    text: ours,
    notices: [`platform_hints.${platform} was not used: write a text, or a table with append or replace that holds one.`],
  };
}

const fields = (table: object): { readonly append?: unknown; readonly replace?: unknown } => ({
  ...('append' in table && { append: table.append }),
  ...('replace' in table && { replace: table.replace }),
});
