import type { EventBatch } from '../../../../src/contracts/platform-adapter.ts';
import { LINK_TIMES, type PlatformLinkOptions, type LinkState, type PlatformLink } from '../../../../src/faces/gateway/link/contract.ts';
import { openLink } from '../../../../src/faces/gateway/link/link.ts';
import { ScriptedService } from './scripted-service.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

/** A link to a scripted service; nothing happens but by its clock. */
export interface LinkScene extends AsyncDisposable {
  readonly clock: VirtualClock;
  readonly service: ScriptedService;
  readonly link: PlatformLink;
  /** What was committed, and when. */
  readonly received: { readonly text: string; readonly at: number }[];
  readonly texts: () => readonly string[];
  readonly log: string[];
  readonly states: LinkState['type'][];
  /** Waits that were begun, with jitter left out. */
  readonly waits: () => readonly number[];
}

export const send = (link: PlatformLink, markdown: string, signal = new AbortController().signal) =>
  link.send({ chatId: 'c', key: markdown, content: { type: 'text', markdown } }, signal);

export function openScene(
  options: Partial<PlatformLinkOptions> & { readonly prepare?: (service: ScriptedService) => void } = {},
): LinkScene {
  const clock = createVirtualClock();
  const service = new ScriptedService(clock, (options.times ?? LINK_TIMES).deaf / 3.6);
  options.prepare?.(service);
  const received: LinkScene['received'] = [];
  const log: string[] = [];
  const states: LinkState['type'][] = [];
  const waits: number[] = [];
  const commit = async (batch: EventBatch): Promise<void> => {
    for (const event of batch) if (event.type === 'message') received.push({ text: event.text, at: clock.steady() });
  };
  const link = openLink({
    account: { platform: 'scripted', account: 'main' },
    openAdapter: service.openAdapter,
    receive: commit,
    cursors: async () => (received.length === 0 ? [] : [{ scope: 'updates', value: String(received.length) }]),
    log: (words) => log.push(words),
    onChange: (state) => {
      if (states.at(-1) !== state.type) states.push(state.type);
      if ('until' in state) waits.push(state.until - clock.now());
    },
    clock,
    random: () => 0,
    ...options,
  });
  return {
    clock,
    service,
    link,
    received,
    texts: () => received.map(({ text }) => text),
    log,
    states,
    waits: () => waits,
    [Symbol.asyncDispose]: async () => {
      const closed = link[Symbol.asyncDispose]();
      let isClosed = false;
      void closed.then(() => (isClosed = true));
      await clock.until(() => isClosed);
    },
  };
}
