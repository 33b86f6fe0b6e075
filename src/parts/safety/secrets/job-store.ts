import type { Job, JobDefinition, JobRun, JobStore } from '../../../contracts/job-store.ts';
import type { Secrets } from '../../../contracts/secrets.ts';
import { redactDeep } from './deep.ts';
import { withReplyTarget } from './gateway-store.ts';

/**
 * Jobs, told no secret either. What only leads somewhere (a chat, a folder, a script) leads there again; ids and what is counted
 * hold no words.
 */
export function createRedactingJobs(jobs: JobStore, secrets: Secrets): Required<JobStore> {
  const { redact, redactAll: clean } = secrets;
  const job = (found: Job): Job => ({ ...clean(found), definition: leading(found.definition, secrets) });
  const run = (found: JobRun): JobRun => ({ ...clean(found), ...(found.job !== undefined && { job: leading(found.job, secrets) }) });
  return {
    now: () => jobs.now(),
    add: async (added) => job(await jobs.add(clean(added))),
    list: async (filter) => (await jobs.list(filter)).map(job),
    find: async (ref) => (await jobs.find(redact(ref))).map(job),
    change: async (id, version, change) => {
      const changed = await jobs.change(id, version, clean(change));
      return changed && job(changed);
    },
    remove: (id) => jobs.remove(id),
    due: async (limit) => (await jobs.due(limit)).map(job),
    pass: async (pass, leaseMs) => {
      const passed = await jobs.pass(pass, leaseMs);
      return passed?.taken === undefined ? passed : { taken: { ...passed.taken, run: withJob(passed.taken.run, run) } };
    },
    advance: (id, version, from, to) => jobs.advance(id, version, from, to),
    ask: async (jobId, options) => {
      const asked = await jobs.ask(jobId, options);
      return asked && run(asked);
    },
    take: async (options) => (await jobs.take(options)).map((taken) => ({ ...taken, run: withJob(taken.run, run) })),
    renew: (taken, leaseMs) => jobs.renew(taken, leaseMs),
    release: (taken) => jobs.release(taken),
    beginScript: (taken, script) => jobs.beginScript(taken, script),
    start: async (taken, item) => {
      const posted = await jobs.start(taken, clean(item));
      return posted && withReplyTarget(posted, secrets);
    },
    finish: async (taken, result, deliveries) => run(await jobs.finish(taken, clean(result), clean(deliveries))),
    nextDue: () => jobs.nextDue(),
    runs: async (filter) => (await jobs.runs(filter)).map(run),
    announce: (kind, leaseMs) => jobs.announce(redact(kind), leaseMs),
    withdraw: () => jobs.withdraw(),
    tickers: () => jobs.tickers(),
  };
}

const withJob = <Run extends JobRun & { readonly job: JobDefinition }>(run: Run, redacted: (run: JobRun) => JobRun): Run => ({
  ...run,
  ...redacted(run),
});

function leading(definition: JobDefinition, { redactAll: clean, restore }: Secrets): JobDefinition {
  const { origin, deliver, cwd, script } = definition;
  return {
    ...clean(definition),
    ...redactDeep(
      {
        deliver,
        ...(origin !== undefined && { origin }),
        ...(cwd !== undefined && { cwd }),
        ...(script !== undefined && { script }),
      },
      restore,
    ),
  };
}
