import type { PlatformIdentity } from '../../../contracts/platform-adapter.ts';
import type { PlatformLinkOptions, LinkPhase, LinkState } from './contract.ts';
import type { Hearing } from './hearing.ts';

/** Keeps what a link says about itself. */
export interface LinkStatus {
  enter(phase: LinkPhase): void;
  /** A connection is attempted. */
  beginGeneration(): void;
  /** The service has answered. */
  attach(identity: PlatformIdentity, hearing: Hearing): void;
  /** The connection is of no use any more, closed or not. */
  detach(why: string): void;
  /** Tells what has changed by itself: time made a connection deaf, or a word by which it became one. */
  refresh(): void;
  state(): LinkState;
}

export function createLinkStatus(onChange: PlatformLinkOptions['onChange'], starts: () => number, deafMs: number): LinkStatus {
  let phase: LinkPhase = { type: 'connecting' };
  let [generation, connections] = [0, 0];
  let [identity, hearing, told]: [PlatformIdentity?, Hearing?, LinkPhase['type']?] = [];
  const state = (): LinkState => ({
    ...(hearing === undefined ? phase : describePhase(phase, hearing, deafMs)),
    generation,
    reconnects: Math.max(0, connections - 1),
    starts: starts(),
    ...(identity && { identity }),
    ...(hearing && { msSinceProgress: hearing.silentMs() }),
  });
  const enter = (next: LinkPhase): void => {
    if (phase.type === 'stopped') return;
    phase = next;
    tell(state());
  };
  const tell = (now: LinkState): void => {
    told = now.type;
    onChange?.(now);
  };
  return {
    enter,
    beginGeneration: () => void generation++,
    attach: (who, heard) => {
      connections++;
      [identity, hearing] = [who, heard];
      enter({ type: 'connecting', why: 'Fetching messages that were missed.' });
    },
    detach: (why) => {
      hearing = undefined;
      enter({ type: 'connecting', why });
    },
    refresh: () => {
      const now = state();
      if (now.type !== told) tell(now);
    },
    state,
  };
}

/** A connection by which nothing comes is none, whether somebody has looked yet or not. */
function describePhase(phase: LinkPhase, hearing: Hearing, deafMs: number): LinkPhase {
  if (phase.type !== 'connected') return phase;
  if (hearing.isFirstMissing()) return { type: 'connecting', why: 'Nothing has been received yet.' };
  return hearing.silentMs() > deafMs ? { type: 'connecting', why: 'Nothing is being received.' } : phase;
}
