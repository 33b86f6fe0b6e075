import type { PromptContext, PromptSlot } from '../../../contracts/prompt.ts';
import type { TerminalInfo } from '../../../contracts/terminal.ts';
import { PROBES, type MachineView } from './environment-probes.ts';
import { replaceControlCharacters } from './control-characters.ts';
import { COMMAND_TOOLS, FILE_TOOLS } from './place-tools.ts';

interface EnvironmentOptions {
  readonly view: MachineView;
  /** The owner's own words on it, from agent.environment_hint. */
  readonly hint: string;
  /** Where commands run and files lie; absent for this machine itself. */
  readonly place?: TerminalInfo;
  readonly system?: string;
}

/** Where the agent works, what is unusual about it, then what the owner says about it. Without tools that work there, there is no such place. */
export const environmentSlot = ({ view, hint, place, system = process.platform }: EnvironmentOptions): PromptSlot => ({
  name: 'environment',
  order: 100,
  lifetime: 'session',
  volatile: true,
  place: { gone: '' },
  cap: 4_000,
  render: (context) => {
    const workers = workersOf(context.tools);
    const lines =
      workers === undefined ? [] : [...placeLines(workers, context, place, SYSTEMS[system] ?? system), ...oddities(context, view, place)];
    return [...lines, hint.trim()].filter(Boolean).join('\n') || undefined;
  },
});

const SYSTEMS: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows', android: 'Android' };

/** What works in the place, by what can be called. */
function workersOf(tools: readonly string[]): string | undefined {
  const [commands, files] = [COMMAND_TOOLS, FILE_TOOLS.filter((tool) => !COMMAND_TOOLS.includes(tool))].map((some) =>
    some.some((tool) => tools.includes(tool)),
  );
  if (commands === true) return files === true ? 'Commands and file tools' : 'Commands';
  return files === true ? 'File tools' : undefined;
}

function placeLines(workers: string, { cwd }: PromptContext, place: TerminalInfo | undefined, system: string): string[] {
  if (place === undefined)
    return [`${workers} run on this machine (${system}).`, `Working directory: ${replaceControlCharacters(cwd)}`, 'Network: yes.'];
  const { where, onThisMachine, network, writable, hides, cwdNote } = place;
  return [
    `${workers} run ${where}${onThisMachine === true ? ` (${system})` : ''}.${hides === undefined ? '' : ` ${hides}`}`,
    `Working directory: ${place.cwd}${cwdNote === undefined ? '' : ` (${cwdNote})`}`,
    ...(network === undefined ? [] : [NETWORKS[`${network}`]]),
    ...(writable === undefined ? [] : [`Writable: ${writable}.`]),
  ].map(replaceControlCharacters);
}

const NETWORKS = {
  true: 'Network: yes.',
  false: 'Network: none. Commands cannot download or call remote services.',
  by_host: 'Network: package registries and project remotes; other hosts are asked about.',
} as const;

/** What is odd about this machine matters only to commands that run on it; what is odd about the user's chair always does. */
const oddities = ({ platform }: PromptContext, view: MachineView, place: TerminalInfo | undefined): string[] =>
  PROBES.filter(
    (probe) =>
      probe.platforms?.includes(platform) !== false &&
      (probe.about === 'user' || place === undefined || place.onThisMachine === true) &&
      probe.found(view),
  ).map((probe) => probe.hint);
