import type { Entry } from '../../../contracts/entry.ts';
import type { MemoryCursorStore } from '../../../contracts/memory-cursors.ts';
import type { ProcessRecord, ProcessStore } from '../../../contracts/process-store.ts';
import type { QuestionStore } from '../../../contracts/question-store.ts';
import type { Runtime } from '../../../contracts/runtime.ts';
import type { Secrets } from '../../../contracts/secrets.ts';
import type { SessionStore } from '../../../contracts/session-store.ts';
import { redactDeep } from './deep.ts';
import { createRedactingGateway, withReplyTarget } from './gateway-store.ts';
import { createRedactingRuns } from './run-store.ts';
import { createRedactingJobs } from './job-store.ts';

/**
 * A store that is never told a secret. What it gives back is what it was told, so the view of a session, and with it every
 * request, is made of redacted texts and stays the same byte for byte. Search, export and backups derive from it. What was
 * logged before its secret was known is redacted when it is read. `Required` makes the compiler ask about every method the
 * contract gains, also an optional one; care of the files alone hears and tells no text.
 */
export function createRedactingStore(store: SessionStore, secrets: Secrets): RedactingStore {
  const { redact, redactAll: clean, restore } = secrets;
  return {
    create: (session) => store.create({ ...clean(session), cwd: session.cwd }),
    find: (ref) => store.find(redact(ref)),
    list: (filter) => store.list(filter),
    branch: (id, at) => store.branch(id, clean(at)),
    adopt: (session) => store.adopt({ ...clean(session), id: session.id, cwd: session.cwd }),
    retitle: (id, title, by) => store.retitle(id, redact(title), by),
    remove: (id) => store.remove(id),
    entries: async (id, afterSeq) => (await store.entries(id, afterSeq)).map((entry) => withRoute(clean(entry), restore)),
    claim: (id) => store.claim(id),
    release: (claim) => store.release(claim),
    commit: async (claim, change) => (await store.commit(claim, clean(change))).map((entry) => withRoute(entry, restore)),
    turn: async (id) => {
      const state = await store.turn(id);
      return state && { ...state, runtime: real(state.runtime, restore) };
    },
    pending: () => store.pending(),
    post: async (item) => withReplyTarget(await store.post(clean(item)), secrets),
    waiting: async (id) => (await store.waiting(id)).map((item) => withReplyTarget(clean(item), secrets)),
    inbox: async (id) => (await store.inbox(id)).map((item) => withReplyTarget(clean(item), secrets)),
    calls: (filter) => store.calls(filter),
    spent: (id) => store.spent(id),
    compactions: (filter) => store.compactions(filter),
    activity: (filter) => store.activity(filter),
    search: async (query) => (await store.search({ ...query, text: redact(query.text) })).map((hit) => clean(hit)),
    fact: (key) => store.fact(redact(key)),
    learn: (key, value, expected) =>
      store.learn(redact(key), value === undefined ? undefined : redact(value), typeof expected === 'string' ? redact(expected) : expected),
    gateway: createRedactingGateway(store.gateway, secrets),
    questions: createRedactingQuestions(store.questions, secrets),
    processes: createRedactingProcesses(store.processes, secrets),
    jobs: createRedactingJobs(store.jobs, secrets),
    memory: createRedactingMemoryCursors(store.memory, secrets),
    runs: createRedactingRuns(store.runs, secrets),
    changes: (signal, concerns) => store.changes(signal, concerns),
    ...(store.care !== undefined && { care: store.care }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** A question is kept as it was shown. What is allowed is compared, so it is redacted whenever it comes by. */
const createRedactingQuestions = (questions: QuestionStore, { redact, redactAll: clean }: Secrets): Required<QuestionStore> => ({
  list: async (maxAgeMs) => clean(await questions.list(maxAgeMs)),
  begin: (question) => questions.begin(clean(question)),
  end: (id) => questions.end(id),
  keep: async (question, maxAgeMs) => clean(await questions.keep(clean(question), maxAgeMs)),
  decide: async (id, state, maxAgeMs) => clean(await questions.decide(id, state, maxAgeMs)),
  use: async (act, maxAgeMs) => clean(await questions.use(redact(act), maxAgeMs)),
  adopt: (rows) => questions.adopt(clean(rows)),
  grant: (to, scopes) => questions.grant(to, clean(scopes)),
  granted: async (to) => clean(await questions.granted(to)),
});

/** By its files and its identity a process is found again. */
function createRedactingProcesses(processes: ProcessStore, { redact, redactAll: clean, restore }: Secrets): Required<ProcessStore> {
  const found = (record: ProcessRecord): ProcessRecord => {
    const { log, exit, identity } = record.trace;
    return { ...clean(record), trace: { ...clean(record.trace), ...redactDeep({ log, exit, identity }, restore) } };
  };
  return {
    add: (record) => processes.add(clean(record)),
    change: (id, pending) => processes.change(id, clean(pending)),
    keep: (id) => processes.keep(id),
    remove: async (id) => {
      const record = await processes.remove(redact(id));
      return record && found(record);
    },
    list: async () => (await processes.list()).map(found),
  };
}

/** Ids and positions; of words only what went wrong. */
const createRedactingMemoryCursors = (memory: MemoryCursorStore, { redactAll: clean }: Secrets): Required<MemoryCursorStore> => ({
  follow: (cursor) => memory.follow(cursor),
  take: (provider, options) => memory.take(provider, options),
  move: (taken, to) => memory.move(taken, to),
  release: (taken, trouble) => memory.release(taken, clean(trouble)),
  backlog: async (provider) => clean(await memory.backlog(provider)),
  nextDue: (provider) => memory.nextDue(provider),
});

type RedactingStore = Required<Omit<SessionStore, 'care'>> & Pick<SessionStore, 'care'>;
type RestoreSecrets = Secrets['restore'];

/** An address with a password in it is kept without, and must lead there again. */
const real = (runtime: Runtime, restore: RestoreSecrets): Runtime => ({ ...runtime, baseUrl: restore(runtime.baseUrl) });

function withRoute(entry: Entry, restore: RestoreSecrets): Entry {
  if (entry.type !== 'epoch' || entry.epoch.route === undefined) return entry;
  const { route } = entry.epoch;
  return { ...entry, epoch: { ...entry.epoch, route: { ...route, baseUrl: restore(route.baseUrl) } } };
}
