import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { toErrorMessage } from '../base/errors.ts';
import { makeFolder } from '../base/folders.ts';
import { DEFAULT_PROFILE, toProfileName } from '../base/profile.ts';
import type { Home } from '../base/home.ts';
import type { CheckupFinding } from '../contracts/services/insight.ts';

/** The oldest Node that works; the launcher keeps it too. */
const OLDEST = [24, 15] as const;

export function checkNode(version: string, execPath: string): CheckupFinding {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const ok = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  const brought = execPath.split(sep).includes('node_modules');
  const words = `${version}, ${brought ? 'bundled' : 'system'} (${execPath})`;
  return ok
    ? { name: 'node', ok, words }
    : {
        name: 'node',
        ok,
        words,
        cure: `Node ${OLDEST.join('.')} or newer is needed: run npm ci in the project folder, or install Node 26.`,
      };
}

/** Tries what every command does: makes the folder and writes into it. */
export function checkHome({ root }: Home): CheckupFinding {
  const probe = join(root, `.probe-${process.pid}`);
  try {
    makeFolder(root);
    writeFileSync(probe, '');
    const profile = toProfileName(root);
    const whose = profile === DEFAULT_PROFILE ? '' : ` (profile ${profile})`;
    return { name: 'home', ok: true, words: `${root} is writable${whose}` };
  } catch (error) {
    return {
      name: 'home',
      ok: false,
      words: `Cannot write to ${root}: ${toErrorMessage(error)}`,
      cure: 'Make the folder writable, or set HERMES_HOME to another one.',
      fix: { id: 'writable_folder', words: `make ${root} writable for you`, isSafe: true, target: root },
    };
  } finally {
    removeProbe(probe);
  }
}

/** Secrets that other accounts of this machine can read. */
export function checkSecretFile({ env }: Home): readonly CheckupFinding[] {
  const mode = statSync(env, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o077) === 0) return [];
  return [
    {
      name: 'secret file',
      ok: false,
      words: `Other accounts of this machine can read ${env}`,
      cure: `chmod 600 ${env}`,
      fix: { id: 'private_file', words: `make ${env} readable only by you`, isSafe: true, target: env },
    },
  ];
}

/** What decides what the agent is and may do, or holds what it has seen; those that are not there are passed over. */
const PRIVATE =
  `config.yaml .env auth.json credential-pool.json webhook_subscriptions.json mem0.json honcho.json supermemory.json hindsight.json openviking.json approvals.json allowed-files.json processes.json secrets.salt sessions.db
  sessions.db-wal state.db state.db-wal SOUL.md memories skills hooks plugins mcp-tokens`.split(/\s+/);

/** Whether other accounts of this machine come to the folder's files; while they cannot enter it, the modes of those mean nothing. */
export function checkModes({ root }: Home): CheckupFinding {
  const name = 'file modes';
  const modeOf = (path: string): number =>
    process.platform === 'win32' ? 0 : (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077;
  const open = modeOf(root);
  const found = PRIVATE.flatMap((file) => {
    const mode = modeOf(join(root, file)) & toAccess(open);
    return mode === 0 ? [] : [`${file} (${(mode & 0o022) === 0 ? 'read' : 'change'})`];
  });
  const canReplace = (open & 0o022) !== 0;
  if (!canReplace && found.length === 0) return { name, ok: true, words: `only you can read and change what is in ${root}` };
  return {
    name,
    ok: false,
    words: canReplace
      ? `Other accounts of this machine can replace any file in ${root}: settings, approvals, memory, skills`
      : `Other accounts of this machine can enter ${root} and get at ${found.join(', ')}`,
    cure: `chmod 700 ${root}`,
    fix: { id: 'private_folder', words: `close ${root} to other accounts`, isSafe: true, target: root },
  };
}

/** Who can enter a folder, as bits of its files: the group, all others. */
const toAccess = (folder: number): number => ((folder & 0o010) === 0 ? 0 : 0o070) | ((folder & 0o001) === 0 ? 0 : 0o007);

/** Where nothing could be written, nothing can be removed either. */
function removeProbe(probe: string): void {
  try {
    rmSync(probe, { force: true });
  } catch {}
}

/** Parts that hermes does without; their absence is told and is nobody's duty. */
export const checkParts = (): Promise<CheckupFinding[]> =>
  Promise.all([
    optional(
      'node-pty',
      'terminals for commands that want one',
      async () => void (await import('@lydell/node-pty')),
      'npm install @lydell/node-pty',
    ),
    optional(
      'ripgrep',
      'fast search in files',
      async () => assertExists((await import('@vscode/ripgrep')).rgPath),
      'npm install @vscode/ripgrep',
    ),
  ]);

async function optional(name: string, what: string, load: () => Promise<void>, cure: string): Promise<CheckupFinding> {
  try {
    await load();
    return { name, ok: true, words: `present: ${what}` };
  } catch (error) {
    return {
      name,
      ok: true,
      absent: true,
      words: `not installed, so no ${what} (${toErrorMessage(error).split('\n')[0] ?? ''})`,
      cure: `If you want it: ${cure}`,
    };
  }
}

function assertExists(path: string): void {
  if (!existsSync(path)) throw new Error(`${path} is not there`);
}
