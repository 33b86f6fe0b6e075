import type { Ports, ReadSecret } from '../../contracts/ports.ts';
import type { PromptEpoch } from '../../contracts/prompt.ts';
import type { ChildLimits } from '../../parts/tools/child-limits.ts';

/** What a session was asked to be, with every default filled in. */
export interface SessionPlan {
  readonly platform: string;
  /** The folder it works in. */
  readonly cwd: string;
  /** Sessions of one task share a container. */
  readonly terminalTask: string;
  /** The prompt of a session that goes on. */
  readonly epoch: PromptEpoch | undefined;
  readonly toolsets?: readonly string[];
  readonly maxSteps?: number;
  readonly contextFiles: boolean;
  /** Who allowed everything above the floor in advance. */
  readonly allowAll?: string;
  readonly ports: Ports;
  /** How its face reads a secret. */
  readonly readSecret?: ReadSecret;
  readonly systemMessage?: string;
  /** Set for an agent that works for another. */
  readonly child?: ChildLimits;
  /** Tells the owner something that belongs to this session. */
  readonly notice: (words: string) => void;
}
