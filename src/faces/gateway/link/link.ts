import { toErrorMessage } from '../../../base/errors.ts';
import { describeAccount } from '../contract.ts';
import { createAdapterSlot, type AdapterSlot } from './adapter-slot.ts';
import { LINK_TIMES, systemLinkClock, type PlatformLinkOptions, type PlatformLink } from './contract.ts';
import { runGeneration, type GenerationResult } from './generation.ts';
import { NO_ATTEMPTS, planNext, type Attempts } from './ladder.ts';
import { createSendingCalls } from './sending.ts';
import { createLinkStatus, type LinkStatus } from './status.ts';
import { pause, waitWithin } from './timers.ts';

/** Opens a link: it connects at once and goes on until it is closed. */
export function openLink(options: PlatformLinkOptions): PlatformLink {
  const { account, people = async () => [], clock = systemLinkClock, times = LINK_TIMES, random = Math.random } = options;
  const log = (words: string) => options.log(`${describeAccount(account)}: ${words}`);
  const stop = new AbortController();
  const slot = createAdapterSlot(options.openAdapter, clock, times);
  const status = createLinkStatus(options.onChange, slot.starts, times.deaf);
  const sending = createSendingCalls(slot, clock, times, log);
  const running = keepConnected({ ...options, people, clock, times, random, log }, slot, status, stop.signal);
  return {
    state: status.state,
    ...sending.calls,
    [Symbol.asyncDispose]: async () => {
      stop.abort('The link was closed.');
      // What was handed over is answered first: an answer that is lost would have it sent twice.
      await Promise.all([running, sending.drain()].map((work) => waitWithin(clock, work, times.close)));
      await slot[Symbol.asyncDispose]();
      status.enter({ type: 'stopped' });
    },
  };
}

/** Connects again and again, until it is stopped or refused. Never throws. */
async function keepConnected(
  options: Required<Omit<PlatformLinkOptions, 'onChange'>>,
  slot: AdapterSlot,
  status: LinkStatus,
  stop: AbortSignal,
) {
  const { clock, times, random, log } = options;
  for (let attempts = NO_ATTEMPTS; !stop.aborted;) {
    status.enter({ type: 'connecting' });
    const begun = clock.steady();
    const end = await attempt(attempts, options, slot, status, stop);
    if (end.isStuck) await slot.terminate();
    if (stop.aborted) return;
    const next = planNext(attempts, end, clock.steady() - begun, times, random());
    if (next.type === 'refused') {
      log(`stopped. ${toSentence(next.why)} Correct the settings of this platform to try again.`);
      status.enter(next);
      return;
    }
    log(`${toSentence(next.why)} Connecting again in ${Math.ceil(next.ms / 1000)} s.`);
    status.enter({ type: next.type, until: clock.now() + next.ms, why: next.why });
    await pause(clock, next.ms, times.look, stop);
    attempts = next.attempts;
  }
}

const toSentence = (words: string): string => (/[.!?]$/.test(words) ? words : `${words}.`);

/** One attempt: the adapter, where there is none, then a connection until it ends. */
async function attempt(
  { resume }: Attempts,
  options: Required<Omit<PlatformLinkOptions, 'onChange'>>,
  slot: AdapterSlot,
  status: LinkStatus,
  stop: AbortSignal,
): Promise<GenerationResult> {
  const broken = (why: string) => ({ kind: 'broken' as const, why, heldMs: 0, ...(resume !== undefined && { resume }) });
  const open = await slot.open();
  if (typeof open === 'string') return { ...broken(open), isStuck: false };
  status.beginGeneration();
  try {
    return await runGeneration({
      ...options,
      adapter: open.adapter,
      resume,
      signal: AbortSignal.any([stop, open.gone]),
      onConnected: (identity, hearing) => {
        status.attach(identity, hearing);
        options.log(`connected (${identity.name}).`);
      },
      onLook: status.refresh,
      onLive: () => status.enter({ type: 'connected' }),
      onEnd: ({ why }) => status.detach(why),
    });
  } catch (error) {
    // A defect of the adapter: its connection is in nobody's hands now.
    status.detach(toErrorMessage(error));
    return { ...broken(toErrorMessage(error)), isStuck: true };
  }
}
