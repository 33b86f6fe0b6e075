import { UsageError } from '../base/errors.ts';
import { toPrintable } from '../base/printable.ts';
import { resolveFromNearestParent } from '../base/real-path.ts';
import type { SessionHandle } from '../contracts/host.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { CheckpointService } from '../contracts/services/undo.ts';
import type { Session } from '../contracts/session-store.ts';
import { findSession, SESSION_REF } from './find-session.ts';

/** What a project could have git run is left out: diff programs and text filters of its own. */
const GIT_DIFF = 'git --no-pager diff --no-color --no-ext-diff --no-textconv';
/** Files that git does not have yet, and that nothing tells it to ignore: a diff is silent about them. */
const GIT_NEW_FILES = 'git --no-pager ls-files --others --exclude-standard';
const BY_GIT = { work: GIT_DIFF, staged: `${GIT_DIFF} --cached`, all: `${GIT_DIFF} HEAD` } as const;

export const diff = defineCommand({
  category: 'tools',
  where: ['terminal', 'chat'],
  whileBusy: 'run',
  name: 'diff',
  summary: 'Show what has changed in the files of this folder',
  arguments: {
    session: { ...SESSION_REF, session: 'there is no session yet; send a message first.', begins: true },
    what: {
      kind: 'choice',
      choices: ['work', 'staged', 'all', 'session'],
      default: 'work',
      description: 'work: not staged in git, staged: staged in git, all: both, session: what this session changed',
    },
  },
  ownerOnly: true,
  examples: ['/diff', '/diff staged', '/diff session'],
  needs: ['store', 'openSession', 'checkpoints'],
  run: async ({ session: ref, what }, { store, openSession, checkpoints }, { signal }): Promise<ShownChanges> => {
    const session = await findSession(ref, store);
    if (what === 'session') return { diff: await diffOfSession(session, checkpoints), newFiles: [] };
    const open = await openSession(session);
    const text = await runGit(BY_GIT[what], open, signal);
    const others = what === 'staged' ? '' : await runGit(GIT_NEW_FILES, open, signal);
    return { diff: text, newFiles: others.split('\n').filter((name) => name !== '') };
  },
  describe: ({ diff: text, newFiles }) => {
    const files = newFiles.length === 0 ? [] : [`Not in git yet: ${describeFiles(newFiles)}`];
    return toPrintable([...(text.trim() === '' ? [] : [text.trimEnd()]), ...files].join('\n\n')) || 'No changes.';
  },
});

interface ShownChanges {
  readonly diff: string;
  readonly newFiles: readonly string[];
}
/** So many new files are named; a folder that nobody ignores can have thousands. */
const MAX_NAMED = 20;
const describeFiles = (names: readonly string[]): string =>
  names.length <= MAX_NAMED ? names.join(', ') : `${names.slice(0, MAX_NAMED).join(', ')} and ${names.length - MAX_NAMED} more`;

async function runGit(line: string, session: Pick<SessionHandle, 'shell'>, signal: AbortSignal): Promise<string> {
  const events = session.shell(line, signal);
  for (;;) {
    const { value, done } = await events.next();
    if (done !== true) continue;
    if (!value.ok) throw new UsageError(describeGitFailure(value.output));
    return value.output === NO_OUTPUT ? '' : value.output;
  }
}

const describeGitFailure = (output: string): string =>
  /not a git repository/i.test(output)
    ? 'this folder is not a git repository. To see what this session changed: /diff session'
    : `git could not show the changes: ${output.trim().split('\n').at(0) ?? ''}`;

/** What the tool says of a command that wrote nothing. */
const NO_OUTPUT = '[exit code 0, no output]';

/** From the first checkpoint of the session on; what others changed meanwhile in the same files is in it. */
async function diffOfSession({ id, cwd }: Session, checkpoints: CheckpointService): Promise<string> {
  const own = checkpoints.list({ sessionId: id });
  const first = own.at(-1);
  if (first === undefined && !checkpoints.status().enabled)
    throw new UsageError(
      'checkpoints are off, so nobody knows what this session changed; hermes config set checkpoints.enabled true keeps them.',
    );
  if (first === undefined) return '';
  const scope = { folder: resolveFromNearestParent(cwd), sessionId: id };
  const { rows } = await checkpoints.diff({ scope, checkpoint: first.id, all: true, sessionId: id });
  return rows.map((row) => reverseDiff(row.diff)).join('\n');
}

/** A unified diff read backwards: a rollback shows the way back, this is the way there. */
export function reverseDiff(text: string): string {
  const out: string[] = [];
  let [removed, added]: [string[], string[]] = [[], []];
  const flush = (): void => {
    out.push(...removed, ...added);
    [removed, added] = [[], []];
  };
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1] ?? '';
    if (line.startsWith('--- ') && next.startsWith('+++ ')) continue;
    if (line.startsWith('+++ ') && (lines[index - 1] ?? '').startsWith('--- ')) {
      flush();
      out.push(`--- ${line.slice(4)}`, `+++ ${(lines[index - 1] ?? '').slice(4)}`);
    } else if (line.startsWith('-')) added.push(`+${line.slice(1)}`);
    else if (line.startsWith('+')) removed.push(`-${line.slice(1)}`);
    else {
      flush();
      out.push(line.replace(/^@@ -(\S+) \+(\S+) @@/, '@@ -$2 +$1 @@'));
    }
  }
  flush();
  return out.join('\n');
}
