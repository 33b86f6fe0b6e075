import { resolveProfileRoot } from '../../../../base/profile.ts';
import { ToolRefusal } from '../../../../contracts/tool.ts';
import { createGlobMatcher } from './glob.ts';
import { resolveCanonicalPath, type Location } from './locate.ts';

/** Files a tool call never opens, because their contents are keys to something else. `~` is the home of the place, `@` the profile. */
interface GuardedRow {
  readonly pattern: string;
  readonly except?: string;
  readonly what: string;
  /** Only writing is refused. */
  readonly writeOnly?: true;
}
const ROWS: readonly GuardedRow[] = [
  { pattern: '**/.env', what: 'an environment file with secrets' },
  { pattern: '**/.envrc', what: 'an environment file with secrets' },
  { pattern: '**/.env.*', except: '**/.env.{example,sample,template,dist,defaults}', what: 'an environment file with secrets' },
  { pattern: '@/{auth,webhook_subscriptions}.json', what: 'the credential store of this agent' },
  { pattern: '@/{mcp-tokens,pairing,oauth}/**', what: 'the credential store of this agent' },
  { pattern: '@/{checkpoints,trash}/**', what: 'kept for the owner to take back, secrets included' },
  { pattern: '@/{approvals,allowed-files}.json', what: 'the book of what the owner allowed', writeOnly: true },
  { pattern: '@/processes.json', what: 'the book of processes this agent looks after', writeOnly: true },
  { pattern: '@/sessions.db*', what: 'the session store of this agent', writeOnly: true },
  { pattern: '@/state.db*', what: 'a session store of another version of this agent', writeOnly: true },
  { pattern: '~/.ssh/**', except: '~/.ssh/{config,known_hosts*,authorized_keys,*.pub}', what: 'an SSH key' },
  { pattern: '~/.ssh/**', except: '~/.ssh/config', what: 'part of the SSH set-up', writeOnly: true },
  { pattern: '~/.aws/**', except: '~/.aws/config', what: 'an AWS credential' },
  { pattern: '~/.kube/**', what: 'a Kubernetes credential' },
  { pattern: '~/.gnupg/**', what: 'a GnuPG key' },
  { pattern: '~/.config/{gh/hosts.yml,gcloud/**}', what: 'a cloud credential' },
  { pattern: '~/{.netrc,.git-credentials,.npmrc,.pypirc,.pgpass}', what: 'a file with passwords' },
  { pattern: '~/.docker/config.json', what: 'a registry credential' },
  { pattern: '/etc/{shadow,gshadow,sudoers}*', what: 'a password or privilege file of the system' },
  { pattern: '/etc/sudoers.d/**', what: 'a privilege file of the system' },
  { pattern: '/proc/**/{environ,mem,kcore,kmsg}', what: 'a window into running processes' },
];

export interface FileGuard {
  /** Throws when the file, by its name or by what its name leads to, is not for tools. */
  check(place: Location, intent: 'read' | 'write'): void;
  /** What the file is, when it is not for tools under any of these names. */
  keeps(paths: readonly string[], from: Pick<Location, 'homes'>, intent: 'read' | 'write'): string | undefined;
  /** Whether a file found from there is not for reading. */
  hides(path: string, from: Pick<Location, 'homes'>): boolean;
}

/** The rules hold in every place, by the home it has; a profile lies in some home or other under its usual name too. */
export function guardFiles(profile: string): FileGuard {
  const profiles = [...new Set([profile, resolveProfileRoot(profile)].flatMap((path) => [path, resolveCanonicalPath(path)]))];
  const compiled = new Map<string, readonly GuardedRule[]>();
  const rulesOf = (homes: readonly string[]): readonly GuardedRule[] => {
    const key = homes.join('\0');
    const rules =
      compiled.get(key) ??
      withOtherProfiles(ROWS).flatMap((row) => rootsOf(row.pattern, homes, profiles).map((root) => compile(row, root)));
    compiled.set(key, rules);
    return rules;
  };
  const ruleFor = (paths: readonly string[], homes: readonly string[], intent: 'read' | 'write') =>
    rulesOf(homes).find((rule) => (intent === 'write' || rule.writeOnly !== true) && paths.some((path) => rule.covers(path)));
  return {
    check: ({ path, real, shown, homes }, intent) => {
      const rule = ruleFor([path, real], homes, intent);
      if (rule !== undefined)
        throw new ToolRefusal(`Refused: ${shown} is ${rule.what}; tools do not ${intent} it. Ask the user to do what is needed there.`);
    },
    keeps: (paths, { homes }, intent) => ruleFor(paths, homes, intent)?.what,
    hides: (path, { homes }) => ruleFor([path], homes, 'read') !== undefined,
  };
}

/** What is kept from tools in the agent's own folder is kept from them in that of every other profile. */
const withOtherProfiles = (rows: readonly GuardedRow[]): readonly GuardedRow[] => [
  ...rows,
  ...rows.flatMap((row) => (row.pattern.startsWith('@/') ? [{ ...row, pattern: row.pattern.replace('@/', '@/profiles/*/') }] : [])),
];

/** The folders a pattern begins in. */
const rootsOf = (pattern: string, homes: readonly string[], profiles: readonly string[]): readonly string[] =>
  pattern.startsWith('~') ? homes : pattern.startsWith('@') ? [...profiles, ...homes.map((home) => `${home}/.hermes`)] : [''];

type GuardedRule = ReturnType<typeof compile>;
function compile({ pattern, except, what, writeOnly }: GuardedRow, root: string) {
  const matcher = (text: string) => {
    const matches = createGlobMatcher(rooted(text));
    return (path: string) => (root === '' ? matches(path.slice(1)) : path.startsWith(`${root}/`) && matches(path.slice(root.length + 1)));
  };
  const wanted = matcher(pattern);
  const spared = except === undefined ? () => false : matcher(except);
  return { what, writeOnly, covers: (path: string) => wanted(path) && !spared(path) };
}

/** The glob below its root; the leading slash keeps a bare name from meaning "anywhere". */
const rooted = (pattern: string): string => (pattern.startsWith('**/') || pattern.startsWith('/') ? pattern : pattern.slice(1));
