import type { OwnerRemotes } from '../../../contracts/owner-remotes.ts';
import type { OutboundRoutes } from '../../../contracts/reach.ts';
import { formatHostKey } from '../../../contracts/wall.ts';
import type { OpenSandboxNetwork } from '../sandbox/network-port.ts';
import { readListeners } from '../loopback/listening.ts';
import { openDevServers } from './dev-servers.ts';
import { openHostGate } from './gate.ts';
import { installGitSsh } from './git-ssh.ts';
import { toHostEntry, type HostRules } from './host-list.ts';
import { GO_PROXY } from './module-relay.ts';
import { readOwnerHosts, type OwnerHosts } from './owner-hosts.ts';
import { createProxy } from './proxy.ts';
import { REGISTRY_HOSTS } from './registries.ts';
import { openGrantedSockets } from './sockets.ts';
import { createProxyVariables, GIT_SSH_PORT, PROXY_PORT } from './variables.ts';

export interface GuardedNetworkOptions {
  readonly routes: OutboundRoutes;
  /** `terminal.allowed_hosts` and `terminal.denied_hosts`, as the owner wrote them. */
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
  /** Nobody watches: only what the owner's own list names is reached, and nothing of this machine. */
  readonly listedOnly: boolean;
  /** The owner's home folder. */
  readonly home: string;
  /** The environment of this process: the owner's configuration is found by it, and their ssh. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Tells remotes of the owner from those that commands added. Absent where everything that is there is the owner's. */
  readonly remotes?: OwnerRemotes;
  /** Whether a text holds a secret that is known here. */
  holdsSecret?(text: string): boolean;
  notice(words: string): void;
}

/** The network of sandboxes whose commands talk to hosts they may talk to, through a proxy of ours, and to nobody else. */
export const openGuardedNetwork =
  (options: GuardedNetworkOptions): OpenSandboxNetwork =>
  async ({ sockets: folder, env, loopback, ...sandbox }) => {
    const [workspace = '/'] = sandbox.writable;
    const { listedOnly, notice, home, remotes: owners } = options;
    owners?.begin(sandbox.writable);
    const owner = listedOnly
      ? NOTHING
      : readOwnerHosts({ workspace, home, env: options.env, writable: sandbox.writable, ...(owners !== undefined && { owners }) });
    const gitSsh = await installGitSsh({
      ...sandbox,
      isShared: loopback.isShared,
      owner,
      home,
      env: options.env,
      ask: (request) => gate.ask(request),
      ...(options.holdsSecret !== undefined && { holdsSecret: options.holdsSecret }),
      onBlocked: (block) => gate.tellBlocked(block),
    });
    if (gitSsh !== undefined) loopback.serve(GIT_SSH_PORT, gitSsh.serve);
    const gate = openHostGate({
      rules: createHostRules(options, owner),
      routes: options.routes,
      connectInside: (port) =>
        loopback.isOurs(port) ? Promise.reject(new Error('that is this proxy')) : loopback.connect('localhost', port),
      notice,
    });
    // What nobody listens on here either is refused outside as well.
    loopback.onRefused((port) => {
      if (!loopback.isOurs(port) && readListeners('self').some((each) => each.port === port)) gate.tellBlocked({ type: 'port', port });
    });
    const proxy = createProxy(gate);
    loopback.serve(PROXY_PORT, proxy.serve);
    const servers = openDevServers({ loopback, notice });
    const sockets = openGrantedSockets(folder.here, folder.inside, options.env);
    return {
      env: {
        ...(owner.hasGoProxy !== true && { GOPROXY: GO_PROXY }),
        ...createProxyVariables(env),
        ...gitSsh?.variables,
        ...sockets.variables,
      },
      shown: gitSsh?.shown ?? [],
      begin: (command) => {
        const guarded = gate.begin(command);
        const unwatch = command.background === true && !listedOnly ? servers.watch() : undefined;
        return { ...guarded, end: () => (unwatch?.(), guarded.end()) };
      },
      settle: loopback.settle,
      reachable: servers.list,
      socketAt: sockets.at,
      grant: async (grant) => {
        if (grant.type === 'host') gate.grant(grant.host, grant.port);
        else if (grant.type === 'port') await loopback.openPort(grant.port);
        else await sockets.open(grant.path);
      },
      close: async () => {
        servers.close();
        sockets.close();
        proxy.close();
        gitSsh?.close();
      },
    };
  };

const NOTHING: OwnerHosts = { registries: [], remotes: [], unproven: [] };

/** The lists as they are compared. A remote that is reached by ssh is none of the proxy's. */
const createHostRules = ({ allowed, denied, listedOnly }: GuardedNetworkOptions, owner: OwnerHosts): HostRules => ({
  registries: listedOnly ? [] : REGISTRY_HOSTS,
  ownRegistries: owner.registries,
  remotes: owner.remotes.flatMap((remote) => (remote.type === 'web' ? [formatHostKey(remote)] : [])),
  allowed: allowed.flatMap((line) => toHostEntry(line) ?? []),
  denied: denied.flatMap((line) => toHostEntry(line) ?? []),
});
