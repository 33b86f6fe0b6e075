import type { PromptContext, PromptSlot } from '../../../contracts/prompt.ts';
import type { TerminalInfo } from '../../../contracts/terminal.ts';
import { PROBES, type MachineView } from './environment-probes.ts';
import { replaceControlCharacters } from './control-characters.ts';

interface EnvironmentOptions {
  readonly view: MachineView;
  /** The owner's own words on it, from agent.environment_hint. */
  readonly hint: string;
  /** Where commands run and files lie; absent for this machine itself. */
  readonly place?: TerminalInfo;
  readonly system?: string;
}

/** Where the agent works, what is unusual about it, then what the owner says about it. Without tools there is no such place. */
export const environmentSlot = ({ view, hint, place, system = process.platform }: EnvironmentOptions): PromptSlot => ({
  name: 'environment',
  order: 100,
  lifetime: 'session',
  volatile: true,
  place: { gone: '' },
  cap: 4_000,
  render: (context) => {
    const lines =
      context.tools.length === 0 ? [] : [...placeLines(context, place, SYSTEMS[system] ?? system), ...oddities(context, view, place)];
    return [...lines, hint.trim()].filter(Boolean).join('\n') || undefined;
  },
});

const SYSTEMS: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows', android: 'Android' };

function placeLines({ cwd }: PromptContext, place: TerminalInfo | undefined, system: string): string[] {
  if (place === undefined)
    return [
      `Commands and file tools work on this machine (${system}), with its network.`,
      `Working directory: ${replaceControlCharacters(cwd)}`,
    ];
  const { where, onThisMachine, network, writable, hides, cwdNote } = place;
  return [
    `Commands and file tools work in ${where}${onThisMachine === true ? ` (${system})` : ''}.${hides === undefined ? '' : ` ${hides}`}`,
    `Working directory: ${place.cwd}${cwdNote === undefined ? '' : ` (${cwdNote})`}`,
    ...(network === undefined ? [] : [network ? 'Network: yes.' : 'Network: none. Downloads and remote calls from commands fail.']),
    ...(writable === undefined ? [] : [`Writable: ${writable}.`]),
  ].map(replaceControlCharacters);
}

/** What is odd about this machine matters only to commands that run on it; what is odd about the user's chair always does. */
const oddities = ({ platform }: PromptContext, view: MachineView, place: TerminalInfo | undefined): string[] =>
  PROBES.filter(
    (probe) =>
      probe.platforms?.includes(platform) !== false &&
      (probe.about === 'user' || place === undefined || place.onThisMachine === true) &&
      probe.found(view),
  ).map((probe) => probe.hint);
