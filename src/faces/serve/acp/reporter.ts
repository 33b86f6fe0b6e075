import type { ClientCapabilities, SessionUpdate } from '@agentclientprotocol/sdk';
import { setTimeout as sleep } from 'node:timers/promises';
import { toOneLine } from '../../../base/printable.ts';
import type { AgentEvent } from '../../../contracts/event.ts';
import type { Host, SessionHandle } from '../../../contracts/host.ts';
import type { Usage } from '../../../contracts/message.ts';
import type { CallIndex } from './call-index.ts';
import { createTurnUpdates } from './turn-updates.ts';

export interface ReporterDeps {
  readonly host: Host;
  readonly handle: SessionHandle;
  readonly capabilities: ClientCapabilities;
  readonly calls: CallIndex;
  update(change: SessionUpdate): void;
  /** A line for the log of an editor that shows no notices. */
  notice(words: string): void;
}
/** Tells the editor how it goes in one session. */
export interface Reporter {
  show(event: AgentEvent): Promise<void>;
  /** The title, when it is another than the editor was told last. One that a model gives comes a little after the turn. */
  showTitle(): Promise<void>;
  notice(words: string): void;
  close(): void;
}

/** When a better title is looked for after a turn. */
const TITLE_MS = [1_000, 3_000, 8_000];

export function createReporter({ host, handle, capabilities, calls, update, notice: log }: ReporterDeps): Reporter {
  const { id, cwd } = handle.session;
  const toUpdates = createTurnUpdates({ cwd, capabilities, shownFor: calls.shownFor });
  const closed = new AbortController();
  let told: string | undefined;
  let isLooking = false;
  let used: number | undefined;

  /** Gives whether it may still change. */
  async function tellTitle(): Promise<boolean> {
    const [session] = await host.store.find(id);
    const { title, updatedAt, titleBy } = session ?? {};
    if (title === undefined || updatedAt === undefined) return true;
    if (title !== told) update({ sessionUpdate: 'session_info_update', title, updatedAt: new Date(updatedAt).toISOString() });
    told = title;
    return titleBy === 'derived';
  }
  async function lookForTitle(): Promise<void> {
    for (const ms of TITLE_MS) {
      await sleep(ms, undefined, { ref: false, signal: closed.signal });
      if (!(await tellTitle())) return;
    }
  }
  async function tellUsage(): Promise<void> {
    if (used === undefined) return;
    const spent = await host.store.spent(id);
    const cost = spent.calls > 0 && spent.unpriced === 0 ? { cost: { amount: spent.price, currency: 'USD' } } : {};
    update({ sessionUpdate: 'usage_update', used, size: handle.runtime.limits.window, ...cost });
  }
  const notice = (words: string): void => {
    const canShow = capabilities.session?.notices !== undefined && capabilities.session.notices !== null;
    if (canShow) update({ sessionUpdate: 'notice', severity: 'info', title: toOneLine(words) });
    else log(words);
  };
  return {
    show: async (event) => {
      calls.see(event);
      for (const change of toUpdates(event)) update(change);
      if (event.type === 'notice') notice(event.text);
      if (event.type === 'sampled') used = countTokens(event.usage);
      // What a call cost is in the ledger once its phase is stored.
      if (event.type === 'sampled' || event.type === 'settled') await tellUsage();
    },
    showTitle: async () => {
      if (!(await tellTitle()) || isLooking) return;
      isLooking = true;
      lookForTitle()
        .catch(() => {})
        .finally(() => (isLooking = false));
    },
    notice,
    close: () => closed.abort(),
  };
}

const countTokens = ({ input, output, cacheRead, cacheWrite }: Usage): number => input + output + cacheRead + cacheWrite;
