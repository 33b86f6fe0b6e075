import type { WallBlock } from '../../../../../contracts/wall.ts';
import type { WallFailure } from './failure.ts';
import { findFolder, findNamedFiles, findPaths, isInside } from './places.ts';

/** What programs say when they meet the wall, and what of it stopped them. A line that would be the same outside gives nothing. */
interface WallSign {
  readonly says: RegExp;
  stopped(line: string, match: RegExpExecArray, failure: WallFailure): readonly (WallBlock | undefined)[];
  /** This machine itself says that it is only so inside. */
  readonly certain?: true;
}

/** How an error of the system ends a line: by itself, with its number, or with the file behind it. */
const atEnd = (words: string): RegExp =>
  new RegExp(`(?:${words})(?: \\((?:os error )?\\d+\\))?(?: at \\S+ line \\d+)?(?:[:,] (?:\\w+ )*['"‘/].*)?[.)]?$`, 'i');

const LOOPBACK = String.raw`(?:localhost|127\.0\.0\.1|\[?::1\]?)`;
const LOOPBACK_PORT = new RegExp(`${LOOPBACK}["')]*(?: \\([^)]*\\))?(?:[:,/]|,? port)\\s*(\\d{2,5})`, 'gi');
const URL_HOST = /\b[a-z][a-z0-9+.-]*:\/\/(?:[^@/\s'"]*@)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)/gi;
const FAR_HOST = /(?<![\w/.-])(?:[\w.-]+@)([a-z0-9-]+(?:\.[a-z0-9-]+)+)\b/gi;

export const WALL_SIGNS: readonly WallSign[] = [
  {
    says: /^(sudo|su|doas|pkexec|run0): .*(?:no new privileges|effective uid|nosuid|setuid|set groups|set gid|authentication failure|not permitted)/i,
    stopped: (_line, [, program = '']) => [{ type: 'privilege', program }],
    certain: true,
  },
  {
    says: /(?:unix:\/\/|socket ["'‘]?)(\/[^\s"'’:?]*[^\s"'’:?.])/i,
    stopped: (_line, [, path = ''], failure) => [missingSocket(path, failure)],
    certain: true,
  },
  { says: atEnd('read-only file system|EROFS: .*|errno 30\\].*'), stopped: readOnlyThere, certain: true },
  { says: /unable to open database "?(\/[^":]+)/i, stopped: deniedWrite, certain: true },
  { says: /failure writing output to/i, stopped: deniedWrite, certain: true },
  { says: /could not open lock file (\/\S+)/i, stopped: deniedWrite, certain: true },
  { says: atEnd('permission denied|operation not permitted|(?:EACCES|EPERM): .*|errno 13?\\].*'), stopped: deniedAny, certain: true },
  {
    says: /^(\/\S+):(\d+) - no response$/,
    stopped: (_line, [, folder = '', port = ''], failure) => [missingSocket(`${folder}/.s.PGSQL.${port}`, failure)],
    certain: true,
  },
  {
    says: /not been booted with systemd|failed to connect to (?:system |user )?(?:scope )?bus/i,
    stopped: (_line, _match, failure) => [
      missingSocket('/run/systemd/private', failure) ?? missingSocket('/run/dbus/system_bus_socket', failure),
    ],
    certain: true,
  },
  {
    says: atEnd('no such (?:file or directory|device)|ENOENT: .*|errno 2\\].*|does not exist|not found'),
    stopped: missingFile,
    certain: true,
  },
  {
    says: /permission denied \([^)]*publickey|could not open a connection to your authentication agent/i,
    stopped: hiddenKey('ssh', '.ssh'),
  },
  { says: /no (?:default )?secret key|can't connect to the (?:gpg-)?agent/i, stopped: hiddenKey('gpg', '.gnupg') },
  {
    says: /could not read (?:username|password) for/i,
    stopped: hiddenKey('git', '.git-credentials', '.netrc', '.config/gh', '.config/git/credentials', '.ssh'),
  },
  { says: /connection to the server localhost:8080 was refused/i, stopped: hiddenKey('Kubernetes', '.kube') },
  { says: /unable to locate credentials|could not load credentials from any providers/i, stopped: hiddenKey('AWS', '.aws') },
  {
    says: /not currently have an active account|default credentials were not found/i,
    stopped: hiddenKey('Google Cloud', '.config/gcloud'),
  },
  { says: /please run ['"`]?az login/i, stopped: hiddenKey('Azure', '.azure') },
  { says: /run:?\s+`?gh auth login/i, stopped: hiddenKey('GitHub', '.config/gh') },
  { says: /\bENEEDAUTH\b/, stopped: hiddenKey('npm', '.npmrc') },
  {
    says: /no basic auth credentials|denied: requested access to the resource|unauthorized: authentication required/i,
    stopped: hiddenKey('docker', '.docker'),
  },
  { says: /no token found, please run `?cargo login/i, stopped: hiddenKey('crates.io', '.cargo/credentials.toml', '.cargo/credentials') },
  {
    says: /connection refused|ECONNREFUSED|can't connect|could ?n[o']t connect|failed to connect|no response$/i,
    stopped: (line, _match, failure) => findRefusedPorts(line, failure),
    certain: true,
  },
  {
    says: /CONNECT tunnel failed, response 403|code 403 from proxy|tunnel connection failed: 403|proxy.*\b403\b|proxy tunneling failed: forbidden/i,
    stopped: unreachedHost,
  },
  {
    says: /could ?n[o']t resolve|unable to resolve|name resolution|name or service not known|network is unreachable|no address associated|ENOTFOUND|EAI_AGAIN|ENETUNREACH|no such host|lookup \S+ on |nodename nor servname|unknown host|error connecting to /i,
    stopped: unreachedHost,
  },
];

/** Paths outside of what commands may write to, as a line of output names them; else as the command does. */
function pathsOutside(line: string, failure: WallFailure): readonly string[] {
  const said = findNamedFiles(line, failure);
  // A name without a folder is one of the command's own.
  const paths = said.length > 0 ? said : findPaths(failure.command, failure.home);
  return paths.filter((path) => !isInside(path, failure) && !SHARED.test(path));
}
/** Inside these are others of the same name. */
const SHARED = /^\/(?:(?:var\/)?tmp|dev\/shm|proc\/\d+)(?:\/|$)/;

/**
 * Nowhere else is a file system read-only that this process could write to, be it a git folder of the workspace. Where neither
 * the line nor the command names it, it is still the sandbox that says so.
 */
function readOnlyThere(line: string, _match: RegExpExecArray, failure: WallFailure): readonly WallBlock[] {
  const { host } = failure;
  const said = findNamedFiles(line, failure);
  const isOutside = (path: string): boolean => !isInside(path, failure) && !SHARED.test(path);
  const [there, guarded] = [said.filter(isOutside), said.filter((path) => isInside(path, failure) && IN_GIT.test(path))];
  const named = [there, guarded, findNamedFiles(failure.command, failure).filter(isOutside)].find((paths) => paths.length > 0);
  if (named === undefined) return [{ type: 'write', path: '' }];
  return named
    .filter((path) => host.canWrite(path))
    .map((path) => ({ type: 'write', path: named === guarded ? path : findFolder(path, host) }));
}
const IN_GIT = /\/\.git(?:\/|$)/;

function deniedWrite(line: string, _match: RegExpExecArray, failure: WallFailure): readonly WallBlock[] {
  const { host } = failure;
  return pathsOutside(line, failure)
    .filter((path) => host.canWrite(path))
    .map((path) => ({ type: 'write', path: findFolder(path, host) }));
}

/** What somebody here may do and nobody inside; a program that is not executable is neither. */
function deniedAny(line: string, match: RegExpExecArray, failure: WallFailure): readonly WallBlock[] {
  const { host, exitCode } = failure;
  if (exitCode === 126 || findNamedFiles(line, failure).length === 0) return [];
  const seen = pathsOutside(line, failure).filter((path) => host.exists(path) && failure.hides(path) && host.canRead(path));
  return seen.length > 0 ? seen.map((path) => ({ type: 'read', path })) : deniedWrite(line, match, failure);
}

function missingFile(line: string, _match: RegExpExecArray, failure: WallFailure): readonly WallBlock[] {
  if (/command not found/.test(line)) return [];
  return findNamedFiles(line, failure)
    .filter((path) => !isInside(path, failure) && !SHARED.test(path) && failure.hides(path) && failure.host.exists(path))
    .map((path) => ({ type: SOCKET_NAME.test(path) ? 'socket' : 'read', path }));
}
const SOCKET_NAME = /\.sock$|_socket$|\.s\.PGSQL\.\d+$/;

function missingSocket(named: string, { host, hides, socketAt }: WallFailure): WallBlock | undefined {
  const path = socketAt(named) ?? named;
  return host.exists(path) && hides(path) ? { type: 'socket', path } : undefined;
}

/** Refused inside, while somebody listens here: in the program's words, or else in those of the command. */
export function findRefusedPorts(line: string, { command, host }: WallFailure): readonly WallBlock[] {
  const ports = (text: string): readonly number[] => [...text.matchAll(LOOPBACK_PORT)].map(([, port]) => Number(port));
  const said = ports(line);
  const named = said.length > 0 ? said : ports(command.replace(/['"],\s*/g, ':'));
  return named.filter((port) => host.listens(port)).map((port) => ({ type: 'port', port }));
}

const NAMED_HOST =
  /(?:resolve host(?:name| address)?:? ?|resolving |(?:ENOTFOUND|EAI_AGAIN) |lookup |host name |unknown host:? |connecting to )[‘'"]?([a-z0-9-]+(?:\.[a-z0-9-]+)+)/i;

function unreachedHost(line: string, _match: RegExpExecArray, { command, hasNetwork }: WallFailure): readonly WallBlock[] {
  // Git reaches its remotes by an ssh outside. Only there is somebody to say that a name is not known.
  if (hasNetwork || (/^ssh: .*: Name or service not known$/.test(line) && /\bgit\b/.test(command))) return [];
  const host = NAMED_HOST.exec(line)?.[1] ?? hostIn(line) ?? hostIn(command);
  return host === undefined || /^[\d.]+$/.test(host) ? [] : [{ type: 'host', host: host.toLowerCase() }];
}
const hostIn = (text: string): string | undefined =>
  [URL_HOST, FAR_HOST]
    .flatMap((pattern) => [...text.matchAll(pattern)].map(([, host]) => host))
    .find((host) => host !== undefined && !host.startsWith('127.'));

/** A key that is not there because its folder is out of sight; where the owner has none either, it is an ordinary failure. */
function hiddenKey(what: string, ...names: readonly string[]) {
  return (_line: string, _match: RegExpExecArray, { home, hides, host }: WallFailure): readonly WallBlock[] =>
    names.map((name) => `${home}/${name}`).some((path) => hides(path) && host.exists(path)) ? [{ type: 'key', what }] : [];
}
