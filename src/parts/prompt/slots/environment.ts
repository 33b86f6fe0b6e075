import type { Slot } from '../../../contracts/prompt.ts';
import { PROBES, type MachineView } from './environment-probes.ts';

interface EnvironmentOptions {
  readonly view: MachineView;
  /** The owner's own words on it, from agent.environment_hint. */
  readonly hint: string;
}

/** What is unusual about the machine, then what the owner says about it. */
export const environmentSlot = ({ view, hint }: EnvironmentOptions): Slot => ({
  name: 'environment',
  order: 100,
  lifetime: 'session',
  cap: 4_000,
  render: ({ platform }) => {
    const here = PROBES.filter((probe) => probe.platforms?.includes(platform) !== false && probe.found(view));
    return [...here.map((probe) => probe.hint), hint.trim()].filter(Boolean).join('\n') || undefined;
  },
});
