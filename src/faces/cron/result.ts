import type { NewDelivery } from '../../contracts/gateway-store.ts';
import type { Job, JobResult, JobRun } from '../../contracts/job-store.ts';
import type { ReadOutgoingFile } from '../../contracts/outgoing-file.ts';
import { isSilence, type Outcome } from '../../contracts/outcome.ts';
import type { CronDeps, FoundChats } from './contract.ts';
import { saveOutput } from './output.ts';

/** What came of a run, before it is stored. */
export interface JobRunEnd {
  readonly state: JobResult['state'];
  /** What was said; of a failure, all there is. */
  readonly text: string;
  /** Why it failed. */
  readonly why?: string;
  readonly isSilent: boolean;
}

/** A turn that gave no whole answer is a failure; what it said by then is told. */
export function toRunEnd(outcome: Outcome, stalledSeconds?: number): JobRunEnd {
  if (outcome.type === 'answered') return { state: 'done', text: outcome.text, isSilent: isSilence(outcome.text) };
  const said = 'words' in outcome && outcome.words === 'model' ? outcome.text : '';
  const why =
    stalledSeconds !== undefined
      ? `nothing happened for ${stalledSeconds} s, so it was stopped.`
      : said === ''
        ? outcome.text
        : `it ended early (${outcome.exitReason.replaceAll('_', ' ')}).`;
  return { state: 'failed', text: said, why, isSilent: false };
}

/** Failures in a row after which it is said how many there were. */
const STREAK = 3;

/** The words that go to chats. */
export function describeResult(
  run: Pick<JobRun, 'jobId' | 'jobName'>,
  { state, text, why = '' }: JobRunEnd,
  failures: number,
  wraps: boolean,
): string {
  if (state === 'failed') {
    const streak = failures + 1 >= STREAK ? [`It has failed ${failures + 1} times in a row. To stop it: /cron pause ${run.jobId}`] : [];
    return [`**Scheduled job “${run.jobName}” failed:** ${why}`, ...(text === '' ? [] : [text]), ...streak].join('\n\n');
  }
  return wraps
    ? `_Scheduled job “${run.jobName}”. This chat does not remember the text below: quote it to ask about it._\n\n${text}`
    : text;
}

export interface PlannedResult {
  readonly deliveries: readonly NewDelivery[];
  readonly undelivered?: string;
}

/** What goes out. One identity for a job, an instant and a chat: planned again after a crash it is the same. */
export async function planResult(
  run: Pick<JobRun, 'jobId' | 'jobName' | 'instant'>,
  end: JobRunEnd,
  {
    chats,
    job,
    deps,
    from,
  }: { readonly chats: FoundChats; readonly job: Job | undefined; readonly deps: CronDeps; readonly from?: ResultTurn },
): Promise<PlannedResult> {
  if (end.isSilent) return { deliveries: [] };
  const markdown = describeResult(run, end, job?.failures ?? 0, deps.settings['cron.wrap_response']);
  const planned = await Promise.all(
    chats.targets.map(({ target }) => {
      const { platform, account, chatId, threadId = '' } = target;
      const key = `cron:${run.jobId}:${run.instant}:${JSON.stringify([platform, account, chatId, threadId])}`;
      const { readFile, ...turn } = from ?? {};
      return deps.chats.prepare({ key, target, markdown, ...turn }, end.state === 'done' ? readFile : undefined);
    }),
  );
  return { deliveries: planned.flat(), ...(chats.problems.length > 0 && { undelivered: chats.problems.join(' ') }) };
}
export interface ResultTurn {
  readonly sessionId?: string;
  readonly turnId?: string;
  readonly readFile?: ReadOutgoingFile;
}

/** What the ledger keeps; the whole text is in a file. */
export function toJobResult(
  run: Pick<JobRun, 'jobId' | 'jobName' | 'instant' | 'sessionId'>,
  end: JobRunEnd,
  undelivered: string | undefined,
  { root, zone, settings }: Pick<CronDeps, 'root' | 'zone' | 'settings'>,
): JobResult {
  const { state, text, why, isSilent } = end;
  const words = [...(why === undefined ? [] : [why]), ...(text === '' ? [] : [text])].join('\n\n');
  const output = saveOutput(
    { run, state: isSilent ? 'nothing to report' : state, text: words },
    root,
    zone,
    settings['cron.output_retention'],
  );
  return {
    state,
    ...(why !== undefined && { why }),
    ...(isSilent && { isSilent }),
    output,
    ...(undelivered !== undefined && { undelivered }),
  };
}
