import { homedir } from 'node:os';
import type { WallProfile } from '../../../contracts/wall.ts';
import { isSecretNamed } from '../process/environment.ts';
import type { InsideFolders } from './mounts.ts';

/** Unattended, by name: what leads out (agents, displays, buses, engines) or into our own files is not among them. */
const UNATTENDED_NAMES =
  /^(?:PATH|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|TZ|CI|EDITOR|PAGER|LESS|DEBIAN_FRONTEND|PYTHON\w*|NODE_\w+|GO\w+|CARGO_\w+|RUST\w*|JAVA_HOME|CC|CXX|CFLAGS|CXXFLAGS|LDFLAGS|MAKEFLAGS|VIRTUAL_ENV|(?:HTTPS?|NO)_PROXY|https?_proxy|no_proxy|SSL_CERT_\w+|GIT_(?:AUTHOR|COMMITTER)_\w+)$/;
/** Attended commands get what they would get outside, but for what leads out or to what is not there. */
const LEADS_OUT =
  /^(?:SSH_(?:AUTH_SOCK|AGENT_PID|CONNECTION)|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS|XDG_(?:RUNTIME_DIR|SESSION\w*|SEAT\w*|VTNR)|GPG_(?:TTY|AGENT_INFO)|DOCKER_(?:HOST|CONTEXT)|CONTAINER_HOST|KUBECONFIG|WSL\w*|BROWSER|TERM_PROGRAM\w*|LD_PRELOAD|HERMES_HOME|TMPDIR|TMP|TEMP|PWD|OLDPWD)$/;
/** The owner's name and address. */
const IDENTITY = /^GIT_(?:AUTHOR|COMMITTER)_/;

export interface InnerEnvironmentOptions {
  readonly profile: WallProfile;
  readonly env: Readonly<Record<string, string>>;
  /** Names the owner passes through. */
  readonly pass: readonly string[];
  readonly forGuests?: true;
  readonly inside: Pick<InsideFolders, 'bin' | 'home' | 'tmp'>;
}

/** What acts on the programs that bring a command in, before it has given up its rights: they must not see it. */
const FOR_LOADERS = /^(?:LD_\w+|PERL\w*|GCONV_PATH|LOCPATH|NLSPATH|GLIBC_TUNABLES|MALLOC_\w+)$/;

/** Variables as the way in may have them, and the words that give the command itself the rest. */
export function splitForEntry(env: Readonly<Record<string, string>>): { readonly env: Record<string, string>; readonly words: string[] } {
  const [late, early] = ['late', 'early'].map((when) =>
    Object.entries(env).filter(([name]) => FOR_LOADERS.test(name) === (when === 'late')),
  );
  const words = (late ?? []).map(([name, value]) => `${name}=${value}`);
  return { env: Object.fromEntries(early ?? []), words: words.length === 0 ? [] : ['/usr/bin/env', ...words] };
}

/** The variables commands are started with inside. */
export function createInnerEnvironment({ profile, env, pass, forGuests, inside }: InnerEnvironmentOptions): Record<string, string> {
  const isGiven = (name: string): boolean =>
    profile === 'attended'
      ? !LEADS_OUT.test(name) && !isSecretNamed(name)
      : UNATTENDED_NAMES.test(name) && !(forGuests && IDENTITY.test(name));
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => isGiven(name) || pass.includes(name))),
    PATH: `${inside.bin}:${env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'}`,
    HOME: profile === 'attended' ? homedir() : inside.home,
    TMPDIR: inside.tmp,
    SHLVL: '1',
    // The workspace is a mount: git would look for its repository no further up.
    GIT_DISCOVERY_ACROSS_FILESYSTEM: '1',
    // A file that cannot be opened would stop git, and its settings may name servers of the owner's.
    ...(forGuests && { GIT_CONFIG_NOSYSTEM: '1' }),
    // Root without rights cannot give files away, and tar would fail over every foreign owner in an archive.
    ...(process.getuid?.() === 0 && { TAR_OPTIONS: '--no-same-owner' }),
  };
}
