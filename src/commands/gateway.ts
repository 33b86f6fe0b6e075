import { toPrintable } from '../base/printable.ts';
import { toVisibleLine } from '../base/visible.ts';
import type { CommandContext, ParsedValues } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { AccountReport, ApiState, GatewayCron, GatewayLog, GatewayStatus, StartedGateway } from '../contracts/services/gateway.ts';

const FACTS = { category: 'conversation', where: ['shell'], whileBusy: 'run' } as const;

const RUN_OPTIONS = {
  replace: { kind: 'flag', description: 'stop the gateway of this profile that is running, and take its place' },
} as const;
export type GatewayRunValues = ParsedValues<typeof RUN_OPTIONS>;

/** It serves until it is told to end: the face does the work. */
export const gatewayRun = defineCommand({
  ...FACTS,
  name: 'gateway run',
  summary: 'Run the gateway in this terminal until it is stopped',
  options: RUN_OPTIONS,
  json: 'once it runs, its process and platforms as one JSON line',
  ownerOnly: true,
  examples: ['hermes gateway run', 'hermes gateway run --replace'],
});

const describeStarted = ({ pid, log, isStarting, replaced, accounts }: StartedGateway): string =>
  [
    `${replaced === undefined ? 'Started' : `Stopped process ${replaced} and started`} the gateway as process ${pid}.`,
    ...(isStarting ? ['It is still connecting. hermes gateway status shows how far it is.'] : []),
    ...accounts.map(describeAccountLine),
    `Log: ${log}`,
  ].join('\n');

export const gatewayStart = defineCommand({
  ...FACTS,
  name: 'gateway start',
  summary: 'Start the gateway in the background',
  json: 'as JSON',
  ownerOnly: true,
  needs: ['gateway'],
  examples: ['hermes gateway start'],
  run: (_values, { gateway }) => gateway.start(),
  describe: describeStarted,
});

export const gatewayStop = defineCommand({
  ...FACTS,
  name: 'gateway stop',
  summary: 'Stop the gateway; running turns get time to finish, and a second stop meanwhile ends it at once',
  options: { all: { kind: 'flag', description: 'stop the gateways of all profiles on this machine' } },
  json: 'as JSON',
  ownerOnly: true,
  needs: ['gateway'],
  examples: ['hermes gateway stop', 'hermes gateway stop --all'],
  run: async ({ all }, { gateway }) => {
    const stopped = await gateway.stop(all === true ? 'all' : 'own');
    return { ok: stopped.every(({ ended }) => ended), stopped };
  },
  describe: ({ stopped }) =>
    stopped
      .map(({ pid, home, ended }) =>
        ended
          ? `Stopped the gateway of ${home} (process ${pid}).`
          : `Process ${pid} of ${home} has not ended yet. See hermes gateway logs.`,
      )
      .join('\n') || 'No gateway was running.',
});

export const gatewayRestart = defineCommand({
  ...FACTS,
  name: 'gateway restart',
  summary: 'Restart the gateway; running turns get time to finish',
  json: 'as JSON',
  ownerOnly: true,
  needs: ['gateway'],
  examples: ['hermes gateway restart'],
  run: (_values, { gateway }) => gateway.restart(),
  describe: describeStarted,
});

export const gatewayStatus = defineCommand({
  ...FACTS,
  name: 'gateway status',
  summary: 'Show whether the gateway runs and which platforms are connected',
  json: 'as JSON',
  needs: ['gateway'],
  examples: ['hermes gateway status', "hermes gateway status --json | jq '.accounts[].state'"],
  run: (_values, { gateway }) => gateway.status(),
  describe: describeStatus,
});

function describeStatus(status: GatewayStatus): string {
  const { running, pid, since, service, phase, msSinceReport = 0, turns, accounts, provider, waiting, dead, log } = status;
  const head = running
    ? `The gateway is ${phase === 'running' ? 'running' : PHASES[phase ?? 'unknown']} as process ${pid} since ${since}${service === undefined ? '' : `, started by ${service.split(':')[0]}`}.`
    : `The gateway is not running${describeLost(status)}. Start it with: hermes gateway start`;
  return [
    head,
    ...(phase === 'unknown' ? [`It has not reported for ${seconds(msSinceReport)}, so the state of its platforms is not known.`] : []),
    ...accounts.map(describeAccountLine),
    ...describeApi(status.api),
    ...describeCron(status.cron),
    ...(provider === undefined
      ? []
      : [toVisibleLine(`model: ${provider.model} of ${provider.provider}${provider.ok ? '' : `. ${provider.why}`}`)]),
    ...(running ? [`Turns running: ${turns}`] : []),
    `Waiting: ${waiting.arrivals} messages to be read, ${waiting.deliveries} to be sent`,
    ...dead.map(({ platform, chat, why }) => toVisibleLine(`Unreachable: ${platform} chat ${chat}: ${why}`)),
    `Log: ${log}`,
  ].join('\n');
}
const describeLost = ({ lost }: GatewayStatus): string =>
  lost === undefined ? '' : `: process ${lost.pid}, which ran since ${lost.since}, ended without being stopped`;

function describeApi({ running, pid, program, url, why }: ApiState): readonly string[] {
  const who = pid === undefined ? '' : ` by process ${pid}${program === 'serve' ? ' (hermes serve)' : ''}`;
  if (running) return [`API: served at ${url ?? ''}${who}`];
  return why === undefined ? [] : [toVisibleLine(`API: not served. ${why}`)];
}

function describeCron({ ok, tickers, scheduled, next, running, failing }: GatewayCron): readonly string[] {
  if (scheduled === 0 && running.length === 0) return [];
  const who = tickers.map(({ pid, kind }) => `process ${pid} (${kind})`).join(', ');
  const counts = `${scheduled} scheduled, ${running.length} running, ${failing.length} failing`;
  return [
    toVisibleLine(
      `Jobs: ${counts}${next === undefined ? '' : `; next ${next.name} at ${next.atWords ?? next.at}`}. ${ok ? `Run by ${who || 'nobody; none are left to run'}.` : 'No process runs them. Start one: hermes gateway start'}`,
    ),
  ];
}
const PHASES = { starting: 'starting', running: 'running', draining: 'stopping', unknown: 'not responding' } as const;

function describeAccountLine({ platform, account, state, name, why, msSinceProgress }: AccountReport): string {
  const who = `${platform}${account === 'main' ? '' : ` (${account})`}`;
  const as = state === 'connected' && name !== undefined ? ` as ${name}` : '';
  const heard = state === 'connected' && msSinceProgress !== undefined ? `, last heard ${seconds(msSinceProgress)} ago` : '';
  return toVisibleLine(`${who}: ${STATES[state]}${as}${heard}${why === undefined ? '' : `. ${why}`}`);
}
const STATES: Readonly<Record<AccountReport['state'], string>> = {
  connecting: 'connecting',
  connected: 'connected',
  waiting: 'not connected, retrying',
  busy: 'not connected, its credential is in use elsewhere',
  refused: 'refused by the service',
  stopped: 'stopped',
  paused: 'paused',
  unknown: 'unknown',
};
const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;

interface ShownLog extends GatewayLog {
  /** Everything was shown as it came. */
  readonly wasFollowed?: true;
}

export const gatewayLogs = defineCommand({
  ...FACTS,
  name: 'gateway logs',
  summary: 'Show the latest lines of the log of the gateway',
  options: {
    lines: { kind: 'whole_number', letter: 'n', placeholder: 'n', default: 100, description: 'how many lines' },
    follow: { kind: 'flag', letter: 'f', description: 'show new lines as they are written, until Ctrl-C' },
  },
  json: 'as JSON; with --follow one JSON text for each line',
  needs: ['gateway'],
  examples: ['hermes gateway logs', 'hermes gateway logs -n 20', 'hermes gateway logs --follow'],
  run: async ({ lines, follow }, { gateway }, context: CommandContext<readonly string[]>): Promise<ShownLog> => {
    // What is written between the two is shown twice rather than not at all.
    const coming = follow === true ? gateway.follow(context.signal) : undefined;
    const log = gateway.logs(lines);
    if (coming === undefined) return log;
    if (log.lines.length > 0) context.report(log.lines);
    for await (const more of coming) context.report(more);
    return { path: log.path, lines: [], wasFollowed: true };
  },
  describe: ({ path, lines }) => (lines.length === 0 ? `There is no log yet: ${path}` : toPrintable(lines.join('\n'))),
});

export const gatewayInstall = defineCommand({
  ...FACTS,
  name: 'gateway install',
  summary: 'Have the system start the gateway: systemd on Linux, launchd on macOS',
  options: { system: { kind: 'flag', description: 'for the whole system, started with it; needs root (systemd only)' } },
  json: 'as JSON',
  ownerOnly: true,
  needs: ['gateway'],
  examples: ['hermes gateway install', 'sudo hermes gateway install --system'],
  run: ({ system }, { gateway }) => gateway.install(system === true ? 'system' : 'user'),
  describe: ({ path, next }) => [`Wrote ${path}. Now run:`, ...next.map((line) => `  ${line}`)].join('\n'),
});
