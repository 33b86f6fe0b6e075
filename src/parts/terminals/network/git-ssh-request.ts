import type { GitRemote } from './git-remotes.ts';

type SshRemote = Extract<GitRemote, { type: 'ssh' }>;
export type GitSshTarget =
  | { readonly type: 'ssh'; readonly remote: SshRemote; readonly command: string; readonly isPush: boolean }
  /** A push to a folder of this machine; fetching needs nobody's help. */
  | { readonly type: 'folder'; readonly path: string };

/** The remote as people write it. */
export const formatTarget = (target: GitSshTarget): string =>
  target.type === 'folder' ? target.path : `${target.remote.target}:${target.remote.path}`;

/** What git asks a remote for: to fetch, to push, for an archive. */
const SERVICES = ['git-upload-pack', 'git-receive-pack', 'git-upload-archive'];

export const listSshRemotes = (remotes: readonly GitRemote[]): readonly SshRemote[] => remotes.filter((each) => each.type === 'ssh');

/** The remote that these words for ssh mean, to the letter, or why there is none. */
export function findGitSshTarget(
  words: readonly string[],
  remotes: readonly SshRemote[],
  folders: readonly string[] = [],
): GitSshTarget | string {
  const [option, folder] = words;
  if (option === '--folder' && folder !== undefined)
    return folders.includes(folder)
      ? { type: 'folder', path: folder }
      : `Blocked by the sandbox: ${folder} was not a remote of this project when the session began.`;
  const asked = parseSshWords(words);
  if (asked === undefined) return `Blocked by the sandbox: ssh works here only for git and the remotes of this project. ${known(remotes)}`;
  const remote = remotes.find(
    ({ target, port, path }) =>
      target === asked.target && port === asked.port && SERVICES.some((name) => asked.command === `${name} ${quoteForShell(path)}`),
  );
  if (remote !== undefined) return { type: 'ssh', remote, command: asked.command, isPush: asked.command.startsWith('git-receive-pack ') };
  return `Blocked by the sandbox: ${asked.target} was not a remote of this project when the session began, or not for this repository. ${known(remotes)}`;
}

const known = (remotes: readonly SshRemote[]): string =>
  remotes.length === 0
    ? 'The project has no remote over ssh.'
    : `Allowed: ${[...new Set(remotes.map(({ target, port, path }) => `${target}${port === undefined ? '' : ` port ${port}`} ${path}`))].join(', ')}.`;

/** Words as git gives them to ssh. Anything else is not git. */
function parseSshWords(words: readonly string[]) {
  let port: number | undefined;
  let at = 0;
  for (; words[at]?.startsWith('-') === true; at++) {
    const word = words[at];
    if (word === '-4' || word === '-6') continue;
    const value = words[++at] ?? '';
    if (word === '-p' && /^\d{1,5}$/.test(value)) port = Number(value);
    else if (word !== '-o' || value !== 'SendEnv=GIT_PROTOCOL') return undefined;
  }
  const [target, command, ...more] = words.slice(at);
  return target === undefined || command === undefined || more.length > 0 ? undefined : { target, command, port };
}

/** As git quotes a path for the shell of the other side. */
const quoteForShell = (path: string): string => `'${path.replaceAll(/['!]/g, (sign) => `'\\${sign}'`)}'`;
