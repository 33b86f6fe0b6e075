import { explainNetworkError } from '../../../base/network-words.ts';
import { OutboundRefusal, type OutboundRoutes } from '../../../contracts/reach.ts';
import { formatHostKey, type HostAnswer, type HostRequest, type WallBlock } from '../../../contracts/wall.ts';
import type { Socket } from 'node:net';
import type { CommandOnNetwork, NetworkedCommand } from '../sandbox/network-port.ts';
import { findHostStanding, type HostRules } from './host-list.ts';
import { encrypt, type RelayedRequest } from './module-relay.ts';
import { createNetworkedCommands } from './networked-commands.ts';

export interface HostGateOptions {
  readonly rules: HostRules;
  readonly routes: OutboundRoutes;
  /** A connection to the sandbox's own loopback: what a command means by it, even where it asks the proxy. Absent means it is refused. */
  connectInside?(port: number): Promise<Socket>;
  /** Where nobody is ever asked, the list alone counts: why a host that is not on it is refused. Also tells whoever must know. */
  refuseUnlisted?(host: string): string;
  /** A line for the owner. */
  notice(words: string): void;
}
export interface HostGate {
  begin(command: NetworkedCommand): CommandOnNetwork;
  /** The owner has agreed to this host, for as long as the sandbox is there. */
  grant(host: string, port?: number): void;
  /** Something of a command was turned away elsewhere: any of those that run may have meant it. */
  tellBlocked(block: WallBlock): void;
  /** Whether somebody may talk to the host: our no, or nothing against it. Waits for whoever must be asked. */
  admit(request: HostRequest): Promise<GateRefusal | undefined>;
  /** What whoever watches the commands says to something that no list decides. */
  ask(request: HostRequest): Promise<HostAnswer>;
  /** An encrypted connection to a proxy that asks others for us: they are judged in its place, unless the owner's list names it. */
  openRelay(request: RelayedRequest): Promise<GateAnswer>;
  /** A connection to the host, or our no. Waits for whoever must be asked. */
  open(request: HostRequest): Promise<GateAnswer>;
}
export type GateAnswer = { readonly ok: true; readonly socket: Socket } | GateRefusal;
export interface GateRefusal {
  readonly ok: false;
  /** It is our own no, not the network's. */
  readonly refused: boolean;
  readonly reason: string;
}

/** What stands against a host: for the program that asked, and for the model where more can be said. */
interface HostObjection {
  readonly no: string;
  readonly why?: string;
}

const CONNECT_MS = 30_000;
const HTTPS = 443;

/** Decides over every connection: by the lists, by what was granted, else by whoever watches the command. */
export function openHostGate({ rules, routes, connectInside, refuseUnlisted, notice }: HostGateOptions): HostGate {
  const commands = createNetworkedCommands(notice);
  const granted = new Map<string, { readonly named: boolean }>();
  const turnedAway = new Set<string>();
  const turnAway = ({ host, port }: HostRequest, why: string): void => commands.tellBlocked({ type: 'host', host, port, why });
  const judge = async (request: HostRequest): Promise<{ readonly named: boolean } | HostObjection> => {
    const { host, port } = request;
    if (connectInside !== undefined && isLoopback(host)) return { named: true };
    const key = formatHostKey(request);
    const standing = findHostStanding(rules, { host, port, ...(request.how !== undefined && { method: request.how }) });
    if (standing.type === 'denied') return { no: `the user's settings deny ${host} (terminal.denied_hosts).` };
    const allowed = granted.get(key) ?? (standing.type === 'allowed' ? standing : undefined);
    if (allowed === undefined && refuseUnlisted !== undefined) return { no: refuseUnlisted(key) };
    const objection = routes.findObjection({ host, port, named: allowed?.named === true });
    if (objection !== undefined) {
      turnedAway.add(key);
      return { no: objection };
    }
    const isRemote = allowed !== undefined && 'isRemote' in allowed && commands.canAsk();
    if (allowed !== undefined && !isRemote) return { named: allowed.named };
    const answer = await commands.ask({ ...request, ...(isRemote && { isRemote }) });
    return answer === true
      ? { named: isRemote }
      : { no: `the user has not allowed connections to ${key}.`, ...(answer !== false && answer) };
  };
  const admit: HostGate['admit'] = async (request) => {
    const admitted = await judge(request);
    if ('named' in admitted) {
      commands.tellReached();
      return undefined;
    }
    turnAway(request, admitted.why ?? admitted.no);
    return refuse(admitted.no);
  };
  return {
    begin: (command) => commands.begin(command),
    grant: (host, port) => {
      const key = formatHostKey({ host, ...(port !== undefined && { port }) });
      // Whoever agrees to what was turned away for where it lies agrees to that; a yes to a mere name is none to a private network.
      granted.set(key, { named: turnedAway.has(key) });
    },
    tellBlocked: (block) => commands.tellBlocked(block),
    ask: (request) => commands.ask(request),
    admit,
    openRelay: async ({ host, module }) => {
      const target = { host, port: HTTPS, how: 'GET' };
      const isListed =
        rules.registries.length === 0 || findHostStanding(rules, { host, port: HTTPS }).type !== 'unknown' || granted.has(host);
      const asked = isListed ? target : module === undefined ? undefined : { ...target, host: module };
      const refusal = asked === undefined ? undefined : await admit(asked);
      if (refusal !== undefined) return refusal;
      const answer = await connect(routes, target, false, undefined);
      if ('no' in answer) return refuse(answer.no);
      try {
        if ('failed' in answer) throw new Error(answer.failed);
        const socket = await encrypt(answer.socket, host);
        commands.tellReached();
        return { ok: true, socket };
      } catch (error) {
        const why = explainNetworkError(error);
        commands.tellUnreached({ host, port: HTTPS, why });
        return { ok: false, refused: false, reason: `${host} could not be reached: ${why}` };
      }
    },
    open: async (request) => {
      const admitted = await judge(request);
      const isInside = connectInside !== undefined && isLoopback(request.host);
      const way = isInside ? () => connectInside(request.port) : undefined;
      if ('no' in admitted) {
        turnAway(request, admitted.why ?? admitted.no);
        return refuse(admitted.no);
      }
      const answer = await connect(routes, request, admitted.named, way);
      if ('socket' in answer) {
        commands.tellReached();
        return { ok: true, socket: answer.socket };
      }
      if ('no' in answer) {
        turnedAway.add(formatHostKey(request));
        turnAway(request, answer.no);
        return refuse(answer.no);
      }
      const { host, port } = request;
      commands.tellUnreached({ host, port, why: answer.failed });
      return { ok: false, refused: false, reason: `${host}:${port} could not be reached: ${answer.failed}` };
    },
  };
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '::1' || host === '0.0.0.0' || /^127(?:\.\d+){3}$/.test(host);

async function connect(
  routes: OutboundRoutes,
  { host, port }: HostRequest,
  named: boolean,
  inside: (() => Promise<Socket>) | undefined,
): Promise<{ readonly socket: Socket } | HostObjection | { readonly failed: string }> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new Error(`${host} did not answer in time`)), CONNECT_MS);
  try {
    const socket = await (inside?.() ?? routes.connect({ host, port, named }, limit.signal));
    // Whoever takes it over may not be listening yet when it breaks.
    socket.on('error', () => socket.destroy());
    return { socket };
  } catch (error) {
    if (error instanceof OutboundRefusal) return { no: error.message };
    return { failed: explainNetworkError(error) };
  } finally {
    clearTimeout(timer);
  }
}

const refuse = (why: string): GateRefusal => ({ ok: false, refused: true, reason: `Blocked by the sandbox: ${why}` });
