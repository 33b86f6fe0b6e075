import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedRequest, Reply } from '../../src/testing/wire-server/index.ts';
import { hermes, tempHome, toServer, type Ran, type RunOptions } from './hermes.ts';

interface Body {
  readonly tools?: readonly { readonly function?: { readonly name: string; readonly description?: string } }[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}
export const bodyOf = (request: RecordedRequest): Body => request.body as Body;
export const lastUser = (request: RecordedRequest): string =>
  JSON.stringify(bodyOf(request).messages.findLast(({ role }) => role === 'user')?.content);
export const results = (request: RecordedRequest): string[] =>
  bodyOf(request)
    .messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.stringify(content));
/** Which task a request belongs to; the parent's own has none. */
export const taskOf = (request: RecordedRequest): string | undefined => /TASK-(\w)/.exec(JSON.stringify(firstUser(request)))?.[1];
const firstUser = (request: RecordedRequest): unknown => bodyOf(request).messages.find(({ role }) => role === 'user')?.content;

/** Settings under which every tool is in the table. */
const WHOLE_TABLE = { tools: { tool_search: { enabled: 'off' } } };

export function place(settings?: object) {
  const root = tempHome();
  const [home, cwd] = [join(root, 'home'), join(root, 'work')];
  for (const folder of [home, cwd]) mkdirSync(folder);
  if (settings !== undefined) writeFileSync(join(home, 'config.yaml'), JSON.stringify({ ...WHOLE_TABLE, ...settings }));
  return { home, cwd };
}
export const marks = (cwd: string): string[] => readFileSync(join(cwd, 'marks'), 'utf8').trim().split('\n').toSorted();

export const goals = (names: string) => names.split('').map((name) => ({ goal: `TASK-${name}: do it` }));
export const call = (name: string, input: object): Reply => ({ calls: [{ name, arguments: input }] });

/** A parent that hands out its tasks and tells the end, and children that do what `child` says, step by step. */
export const family =
  (delegate: object, child: (task: string, step: number, request: RecordedRequest) => Reply, parent: Reply = {}) =>
  (request: RecordedRequest): Reply => {
    const task = taskOf(request);
    const step = results(request).length;
    if (task !== undefined) return child(task, step, request);
    return { ...parent, ...(step === 0 ? call('delegate_task', delegate) : { text: 'All is reported.' }) };
  };

export const chat = (server: { readonly url: string }, options: RunOptions, ...more: readonly string[]): Promise<Ran> =>
  hermes(['chat', '-q', 'hand it out', ...more, ...toServer(server.url)], options);

/** What the parent was told of its children. */
export const reportOf = (server: { readonly requests: readonly RecordedRequest[] }): string =>
  results(server.requests.findLast((request) => taskOf(request) === undefined) as RecordedRequest)[0] ?? '';

interface Listed {
  readonly id: string;
  readonly source: string;
  readonly title: string;
}
export async function sessionsIn({ home, cwd }: RunOptions, source: string): Promise<readonly Listed[]> {
  const { out } = await hermes(['sessions', 'list', '--json'], { home, ...(cwd !== undefined && { cwd }) });
  return (JSON.parse(out) as readonly Listed[]).filter((session) => session.source === source);
}

/** The session somebody held in front of the screen. */
export async function ownSession(options: RunOptions): Promise<string> {
  const [session] = await sessionsIn(options, 'cli');
  if (session === undefined) throw new Error('there is no session of the command line');
  return session.id;
}
