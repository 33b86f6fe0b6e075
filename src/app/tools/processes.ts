import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { createTextBlock } from '../../contracts/message.ts';
import type { ProcessStore } from '../../contracts/process-store.ts';
import type { NewInboxItem, SessionStore } from '../../contracts/session-store.ts';
import type { RunningProcess } from '../../contracts/terminal.ts';
import { createMaskingStream } from '../../parts/safety/secrets/masking-stream.ts';
import { redactRunning } from '../../parts/safety/secrets/terminal.ts';
import { adoptAnywhere } from '../../parts/terminals/adoption.ts';
import { ATTACHED, findAttached, holdAttached, isAbandoned, isHeld, releaseAttached } from '../../parts/terminals/attached.ts';
import { resolveLogsFolder, sweepLater } from '../../parts/terminals/local/leftovers.ts';
import { createProcessRegistry } from '../../parts/terminals/registry.ts';
import { AFTER_MS, describeProcessEnd, createProcessNotices, type Notify } from '../../parts/tools/builtin/terminal/process-notices.ts';
import type { Survivor, Survivors } from '../../parts/tools/builtin/terminal/processes.ts';
import type { HomeParts } from './home-parts.ts';

/** Word of a process reaches its session at the next tool boundary, or opens a turn when none runs. */
export const createNotify =
  (post: SessionStore['post']): Notify =>
  async (sessionId, words, key) =>
    void (await post(newsFor(sessionId, words, key)));

/** Those that end with the session's terminal, as far as they run now: what is told of them once it is closed. */
export async function listAttached(sessionId: string, openedAt: number, survivors: Survivors): Promise<readonly AttachedProcess[]> {
  const isOwn = ({ sessionId: of, trace }: Survivor): boolean =>
    of === sessionId && trace.backend === ATTACHED && trace.startedAt >= openedAt && isHeld(trace);
  const own = (await survivors.list()).filter(isOwn);
  return Promise.all(own.map(async (record) => ({ ...record, isRunning: (await survivors.adopt(record))?.status().state === 'running' })));
}
export type AttachedProcess = Survivor & { readonly isRunning: boolean };

/** News of ours: it says what happened and where to look, never what a process wrote. */
const newsFor = (sessionId: string, words: string, key: string): NewInboxItem => ({
  sessionId,
  content: [createTextBlock(words, 'owner')],
  origin: 'system',
  mode: 'steer',
  key,
});

export interface SurvivorParts extends Pick<HomeParts, 'home' | 'config' | 'secrets' | 'env'> {
  readonly processes: ProcessStore;
}

/** Processes that outlive a run are found again by the next run of their session. */
export function createSurvivors({ home, config: { settings }, secrets, env, processes }: SurvivorParts): Survivors {
  const clean = secrets && ((use: 'shown' | 'kept') => (use === 'shown' ? secrets.stream() : createMaskingStream(secrets)));
  const options = { maxOutput: settings['tool_output.max_bytes'], ...(clean !== undefined && { clean }) };
  sweepLater(resolveLogsFolder(home.root), clean);
  const adopt = async (record: Survivor): Promise<RunningProcess | undefined> => {
    const running = await adoptAnywhere(record, { settings, env }, options);
    return running === undefined || secrets === undefined ? running : redactRunning(running, undefined, secrets);
  };
  const registry = createProcessRegistry(processes, home.processes);
  return {
    ...registry,
    attach: async (record, running) => {
      for (const { id, trace } of await registry.list()) if (isAbandoned(trace)) await registry.remove(id);
      await registry.add({ ...record, trace: holdAttached(record.id, running) });
    },
    remove: async (id) => {
      releaseAttached(id);
      await registry.remove(id);
    },
    adopt: async (record) => {
      if (record.trace.backend === ATTACHED) return findAttached(record.id, record.trace);
      return record.trace.backend === 'local' ? adopt(record) : onlyOnce(`${home.root} ${record.id}`, () => adopt(record));
    },
  };
}

/** One line to a process far away is enough for all who ask after it. Who got no answer may ask again. */
function onlyOnce(key: string, ask: () => Promise<RunningProcess | undefined>): Promise<RunningProcess | undefined> {
  const asked = answers.get(key) ?? ask();
  answers.set(key, asked);
  const forget = () => void answers.delete(key);
  asked.then((running) => (running === undefined ? forget() : undefined), forget);
  return asked;
}
const answers = new Map<string, Promise<RunningProcess | undefined>>();

/**
 * What came while nobody was there is told before the session goes on, what comes later as it comes: ends, and lines with
 * the words that are watched for. The key makes it once.
 */
export async function reportEndedProcesses(sessionId: string, survivors: Survivors, post: SessionStore['post']): Promise<void> {
  const lines = linesFor(survivors, post);
  const wanted = (await survivors.list()).filter(
    (each) => each.sessionId === sessionId && (each.tell === true || each.watch !== undefined),
  );
  const found = await Promise.all(wanted.map((record) => adoptAndListen(record, survivors, lines)));
  for (const [index, record] of wanted.entries()) {
    const running = found[index];
    if (running === undefined) continue;
    const tell = async (code: number) => void (await post(endOf(record, running, code)));
    const over = running.status().state === 'exited';
    if (record.tell !== true) continue;
    if (over) await running.exited.then(tell);
    else void running.exited.then((code) => tellUnseen(record, survivors, () => tell(code))).catch(() => {});
  }
  await lines.told();
}

/** Taken up and listened to from its first word on. A place that does not answer now is asked again when somebody looks after it. */
async function adoptAndListen(
  record: Survivor,
  survivors: Survivors,
  lines: ReturnType<typeof linesFor>,
): Promise<RunningProcess | undefined> {
  const running = await survivors.adopt(record).catch(() => undefined);
  if (running === undefined) return undefined;
  lines.follow(record, running);
  if (record.trace.backend !== 'local') await Promise.race([running.exited, pause(NEWS_MS)]);
  return running;
}
/** How long the news from far away that it has ended may take; later it is told as it comes. */
const NEWS_MS = 1_500;

/** Watches go on behind the last line that was looked at. */
function linesFor(survivors: Survivors, post: SessionStore['post']) {
  const [notify, sent] = [createNotify(post), new Set<Promise<void>>()];
  const isKnown = async (id: string) => (await survivors.list()).some((record) => record.id === id);
  const notices = createProcessNotices(
    async (sessionId, words, key) => {
      const [id = '', what] = key.split(':');
      if (what === 'exit' && !(await isKnown(id))) return;
      const work = Promise.resolve(notify(sessionId, words, key));
      sent.add(work);
      await work;
    },
    { keep: (id, pending) => survivors.change(id, pending) },
  );
  return {
    follow: ({ id, sessionId, watch }: Survivor, running: RunningProcess) =>
      watch === undefined ? undefined : notices.follow({ id, sessionId, running }, { onComplete: false, ...watch }),
    told: async () => {
      await turn();
      await Promise.allSettled(sent);
    },
  };
}

const endOf = ({ id, sessionId }: Survivor, running: RunningProcess, code: number): NewInboxItem =>
  newsFor(sessionId, describeProcessEnd({ id, running }, code), `${id}:exit`);

/** Whoever waited for it has seen the end by now, and it is struck off the list. */
async function tellUnseen({ id }: Survivor, survivors: Survivors, tell: () => Promise<void>): Promise<void> {
  await pause(AFTER_MS);
  if ((await survivors.list()).some((record) => record.id === id)) await tell();
}
