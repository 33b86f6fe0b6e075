import { byId } from '../../base/by-id.ts';
import { UsageError } from '../../base/errors.ts';
import { homeAt } from '../../base/home.ts';
import { approvalJson, renderApproval, renderApprovals, renderDecided, type ApprovalLine } from '../../faces/cli/approvals.ts';
import type { JsonFlag } from '../../faces/cli/verbs.ts';
import type { OpenQuestion, OpenQuestions } from '../../parts/safety/approval/open-questions.ts';
import { isAsking } from '../../contracts/turn.ts';
import { openQuestionsOf } from '../approval.ts';
import { loadConfig } from '../config.ts';
import { processScreen } from '../screen.ts';
import { environment } from '../secrets.ts';
import { openWorkshop } from '../workshop.ts';

export async function list(flags: JsonFlag & { readonly all?: boolean }): Promise<number> {
  const rows = (await questions()).list().filter(({ state }) => flags.all === true || state === 'open');
  const screen = processScreen();
  if (flags.json === true) screen.json(rows.map((row) => approvalJson(lineOf(row))));
  else screen.out(renderApprovals(rows.map(lineOf), screen));
  return 0;
}

export async function show(id: string, flags: JsonFlag): Promise<number> {
  const line = lineOf(oneOf(id, (await questions()).list(), 'question'));
  const screen = processScreen();
  if (flags.json === true) screen.json(approvalJson(line));
  else screen.out(renderApproval(line, screen));
  return 0;
}

/** The answer stands before the session hears of it: what hears of it may act at once. */
export async function decide(id: string, state: 'allowed' | 'denied', flags: JsonFlag): Promise<number> {
  const open = await questions();
  const asked = oneOf(
    id,
    open.list().filter((row) => row.state === 'open'),
    'open question',
  );
  const decided = await open.decide(asked.id, state);
  if (decided === undefined) throw new UsageError(`${asked.id} was answered meanwhile; hermes approvals list --all shows how.`);
  const { sessionId, summary } = decided.action;
  const told = sessionId === undefined || state === 'denied' ? false : await tell(sessionId, asked.id, summary);
  const [line, screen] = [lineOf(decided), processScreen()];
  if (flags.json === true) screen.json({ ...approvalJson(line), told });
  else screen.out(renderDecided(line, told, screen));
  return 0;
}

/** Leaves word for the session. One that is gone hears nothing; the answer stands all the same. */
async function tell(sessionId: string, id: string, summary: string): Promise<boolean> {
  await using workshop = await openWorkshop(process.env);
  const [session] = await workshop.store.find(sessionId);
  if (session === undefined) return false;
  // A call that waits for this very answer takes it when its turn goes on; words about it would ask for it twice.
  if (isAsking(await workshop.store.turn(session.id), id)) return true;
  const words = `I now allow, once, what you asked for before:\n${summary}\nDo it exactly so if it still makes sense.`;
  await workshop.store.post({ sessionId: session.id, text: words, mode: 'queue', key: `approval:${id}` });
  return true;
}

async function questions(): Promise<OpenQuestions> {
  const home = homeAt(process.env);
  const { settings } = await loadConfig(home.config, environment(home.env, process.env));
  return openQuestionsOf(home, settings);
}

const oneOf = (id: string, rows: readonly OpenQuestion[], what: string): OpenQuestion =>
  byId(id, rows, (row) => [row.id], { what, shownBy: 'hermes approvals list' });

const lineOf = ({ id, at, state, action }: OpenQuestion): ApprovalLine => ({
  id,
  at,
  state,
  tool: action.tool,
  summary: action.summary,
  reason: action.reason,
  ...(action.cwd !== undefined && { cwd: action.cwd }),
  ...(action.read !== undefined && { files: action.read.map(({ path }) => path) }),
  ...(action.sessionId !== undefined && { sessionId: action.sessionId }),
});
