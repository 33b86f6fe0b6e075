/**
 * Loaded before the gateway (`--import`), in its workers too: finds the moments at which a kill could hurt, by wrapping the
 * database's commits and HTTP requests, writes each down and dies at the chosen one. Settings stand in the address, since
 * workers see no variables of ours:
 *   points.ts?log=FILE&at=N   (N counts from 1 over the lines of the file this process wrote; absent: none)
 *   &from=FILE                (counts from when this file is there)
 */
import { existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { ClientRequest } from 'node:http';

const { searchParams } = new URL(import.meta.url);
const log = searchParams.get('log');
const at = Number(searchParams.get('at') ?? 0);
const from = searchParams.get('from');
if (log !== null) install(openSync(log, 'a'));

function install(file: number): void {
  const mark = (what: string): void => {
    if (from !== null && !existsSync(from)) return;
    writeSync(file, `${what}\n`);
    // All threads write to one file: its length is the count they share.
    if (at > 0 && countLines() >= at) process.kill(process.pid, 'SIGKILL');
  };
  const require = createRequire(import.meta.url);
  wrapCommits(require('node:sqlite') as typeof import('node:sqlite'), mark);
  wrapRequests(require('node:http') as typeof import('node:http'), mark);
  syncBuiltinESMExports();
}
const countLines = (): number => readFileSync(log ?? '', 'utf8').split('\n').length - 1;

function wrapCommits({ DatabaseSync }: typeof import('node:sqlite'), mark: (what: string) => void): void {
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (this: InstanceType<typeof DatabaseSync>, sql, ...more) {
    const statement = prepare.call(this, sql, ...more);
    if (sql.trim() !== 'COMMIT') return statement;
    const run = statement.run.bind(statement);
    statement.run = () => {
      mark('before a commit');
      const result = run();
      mark('after a commit');
      return result;
    };
    return statement;
  };
}

function wrapRequests(http: typeof import('node:http'), mark: (what: string) => void): void {
  const { request } = http;
  const wrapped = (...args: Parameters<typeof request>): ClientRequest => {
    const made = request(...args);
    const what = made.path.split('?')[0]?.split('/').at(-1) ?? '';
    // A poll that waits is no moment of its own: what it brings is.
    const end = made.end.bind(made);
    made.end = ((...values: Parameters<typeof end>) => {
      mark(`before ${what}`);
      return end(...values);
    }) as typeof made.end;
    made.once('response', (response) => response.once('end', () => mark(`after ${what}`)));
    return made;
  };
  http.request = wrapped as typeof request;
}
