import type { GatewayStore } from '../../../contracts/gateway-store.ts';
import type { AccountReport, GatewayReport, GatewayStatus } from '../../../contracts/services/gateway.ts';
import { findTargetRoute } from '../addresses/find-routes.ts';
import { findGateway, findLostGateway } from './claims.ts';
import { findLogFile } from './log-file.ts';
import { readReport } from './state-file.ts';

/** A gateway that has not reported for so long hangs: what it said before counts no more. */
const STALE_MS = 30_000;

/** Nobody's chat, such as a mistyped id, is told of for so long. */
const TOLD_MS = 24 * 3_600_000;

type StatusStore = Pick<GatewayStore, 'backlog' | 'deadTargets' | 'routes'>;

/** What is so now, as far as it can be known from outside. */
export async function readStatus(root: string, store: StatusStore | undefined, now: number): Promise<Omit<GatewayStatus, 'api' | 'cron'>> {
  const running = findGateway(root);
  const lost = running === undefined ? findLostGateway(root) : undefined;
  const report = running && readReport(root, running.pid);
  const silentMs = report && Math.max(0, now - report.at);
  const isStale = silentMs === undefined || silentMs > STALE_MS;
  return {
    ok: running !== undefined && !isStale,
    running: running !== undefined,
    home: root,
    ...(running !== undefined && {
      pid: running.pid,
      since: running.startedAt,
      ...(running.service !== undefined && { service: running.service }),
      phase: report === undefined ? 'starting' : isStale ? 'unknown' : report.phase,
    }),
    ...(lost !== undefined && { lost: { pid: lost.pid, since: lost.startedAt } }),
    ...(silentMs !== undefined && { msSinceReport: silentMs }),
    turns: report?.turns ?? 0,
    accounts: report === undefined ? [] : describeAccounts(report, silentMs ?? 0, isStale),
    listening: isStale ? [] : (report?.listening ?? []),
    ...(report?.provider !== undefined && !isStale && { provider: report.provider }),
    waiting: {
      arrivals: (await store?.backlog('arrival'))?.rows ?? 0,
      deliveries: (await store?.backlog('delivery'))?.rows ?? 0,
    },
    dead: store === undefined ? [] : await listUnreachable(store, now),
    log: findLogFile(root),
  };
}

/** Chats in which somebody wrote, until something arrives there again; others for a day after the last try. */
async function listUnreachable(store: StatusStore, now: number): Promise<GatewayStatus['dead']> {
  const all = await store.deadTargets();
  const isTold = await Promise.all(
    all.map(async (target) => now - target.at < TOLD_MS || (await findTargetRoute(store, target)) !== undefined),
  );
  return all.flatMap(({ platform, chatId, why }, index) => (isTold[index] === true ? [{ platform, chat: chatId, why }] : []));
}

/** Time went on since it was said. */
const describeAccounts = ({ accounts }: GatewayReport, silentMs: number, isStale: boolean): readonly AccountReport[] =>
  accounts.map((account) => ({
    ...account,
    ...(account.msSinceProgress !== undefined && { msSinceProgress: account.msSinceProgress + silentMs }),
    ...(isStale && { state: 'unknown', why: `The gateway has not reported for ${Math.round(silentMs / 1_000)} s.` }),
  }));
