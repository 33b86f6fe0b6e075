import { execFile } from 'node:child_process';
import { isObject, parseJson, readStringAt } from '../../../base/json.ts';
import type { CompanyEnd } from './yc-bench-score.ts';

/** What a company of any size takes is less than a second. */
const MAX_SECONDS = 30;

/** Reads the file it is given in a process that can be ended: the database never lets go of its thread. */
const READER = String.raw`
const { DatabaseSync } = require('node:sqlite');
const read = (path) => {
  const database = new DatabaseSync(path, { readOnly: true });
  const one = (sql, ...values) => database.prepare(sql).get(...values);
  // A view computes what whoever made it wants, for as long as they want.
  for (const name of ['sim_state', 'sim_events', 'companies', 'ledger_entries'])
    if (one("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", name) === undefined) throw new Error(name + ' is no table');
  const state = one('SELECT sim_time, horizon_end FROM sim_state');
  return {
    fundsCents: Number(one('SELECT funds_cents FROM companies').funds_cents),
    bookedCents: Number(one('SELECT COALESCE(SUM(amount_cents), 0) AS booked FROM ledger_entries').booked),
    simTime: String(state.sim_time),
    horizonEnd: String(state.horizon_end),
    endings: database
      .prepare("SELECT event_type FROM sim_events WHERE event_type IN ('bankruptcy', 'horizon_end') ORDER BY scheduled_at, event_type DESC")
      .all()
      .map((row) => String(row.event_type)),
  };
};
try {
  console.log(JSON.stringify(read(process.argv[1])));
} catch (error) {
  console.log(JSON.stringify({ error: String(error.message) }));
}`;

interface CompanyReadOptions {
  readonly signal: AbortSignal;
  readonly seconds?: number;
}

/** What a database tells of its company. It was in the model's hands: nothing of it is run, and reading it has an end. */
export async function readCompany(
  path: string,
  { signal, seconds = MAX_SECONDS }: CompanyReadOptions,
): Promise<Omit<CompanyEnd, 'initialCents'>> {
  const found = parseJson(await runReader(path, { signal, seconds }));
  const trouble = readStringAt(found, 'error');
  if (!isCompany(found)) throw new Error(`the database of the company could not be read: ${trouble ?? 'it holds something else'}`);
  return found;
}

const isCompany = (value: unknown): value is Omit<CompanyEnd, 'initialCents'> => isObject(value) && Array.isArray(value['endings']);

const runReader = (path: string, { signal, seconds }: Required<CompanyReadOptions>): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { env: {}, signal, timeout: seconds * 1_000, killSignal: 'SIGKILL' as const };
    execFile(process.execPath, ['--eval', READER, path], options, (error, output) => {
      if (error === null) resolve(output);
      else
        reject(
          error.killed === true ? new Error(`the database of the company could not be read within ${seconds} s`, { cause: error }) : error,
        );
    });
  });
