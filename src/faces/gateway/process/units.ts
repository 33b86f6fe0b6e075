/** What a service manager needs to know to run a gateway. */
export interface UnitOptions {
  /** The program and what leads to it: Node and its file, or the launcher. */
  readonly command: readonly string[];
  readonly home: string;
  readonly path: string;
  readonly name: string;
  readonly drainSeconds: number;
  readonly log: string;
  /** For a unit of the whole system: whom it runs as. */
  readonly user?: string;
}

/** Beyond the drain: the watchdog of the gateway, and a little more, so that its end is never cut short. */
const STOP_MARGIN_S = 90;
const RESTART_S = 5;

export function renderSystemdUnit({ command, home, path, name, drainSeconds, user }: UnitOptions): string {
  const scope = user === undefined ? 'user' : 'system';
  const variable = (key: string, value: string): string => `Environment=${quoteUnit(`${key}=${value}`)}`;
  return `${[
    '[Unit]',
    'Description=Hermes gateway: the agent in chats',
    ...(user === undefined ? [] : ['After=network-online.target', 'Wants=network-online.target']),
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Type=exec',
    ...(user === undefined ? [] : [`User=${user}`]),
    `ExecStart=${[...command, 'gateway', 'run', '--replace'].map(quoteWord).join(' ')}`,
    'ExecReload=/bin/kill -HUP $MAINPID',
    variable('HERMES_HOME', home),
    variable('PATH', path),
    variable('HERMES_GATEWAY_SERVICE', `systemd:${scope}:${name}`),
    'Restart=always',
    `RestartSec=${RESTART_S}`,
    'RestartForceExitStatus=75',
    'RestartPreventExitStatus=78',
    'KillMode=mixed',
    'KillSignal=SIGTERM',
    `TimeoutStopSec=${Math.ceil(drainSeconds) + STOP_MARGIN_S}`,
    '',
    '[Install]',
    `WantedBy=${user === undefined ? 'default.target' : 'multi-user.target'}`,
  ].join('\n')}\n`;
}

/** systemd reads `%` as a specifier, and quotes and backslashes as a shell would. */
const quoteUnit = (word: string): string => {
  const escaped = word.replaceAll('%', '%%');
  return /^[\w@%+=:,./$-]+$/.test(escaped) ? escaped : `"${escaped.replaceAll(/[\\"]/g, '\\$&')}"`;
};
/** In a command line `$` begins a variable, too. */
const quoteWord = (word: string): string => quoteUnit(word).replaceAll('$', () => '$$');

/** A gateway that ends by itself with 0 is left alone; any other end starts it again. */
export function renderLaunchdPlist({ command, home, path, name, drainSeconds, log }: UnitOptions): string {
  const text = (value: string): string => `<string>${escapeXml(value)}</string>`;
  const words = [...command, 'gateway', 'run', '--replace'].map((word) => `    ${text(word)}`);
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    '  <key>Label</key>',
    `  ${text(name)}`,
    '  <key>ProgramArguments</key>',
    '  <array>',
    ...words,
    '  </array>',
    '  <key>EnvironmentVariables</key>',
    '  <dict>',
    '    <key>HERMES_HOME</key>',
    `    ${text(home)}`,
    '    <key>PATH</key>',
    `    ${text(path)}`,
    '    <key>HERMES_GATEWAY_SERVICE</key>',
    `    ${text(`launchd:user:${name}`)}`,
    '  </dict>',
    '  <key>RunAtLoad</key>',
    '  <true/>',
    '  <key>KeepAlive</key>',
    '  <dict>',
    '    <key>SuccessfulExit</key>',
    '    <false/>',
    '  </dict>',
    '  <key>ThrottleInterval</key>',
    `  <integer>${RESTART_S}</integer>`,
    '  <key>ExitTimeOut</key>',
    `  <integer>${Math.ceil(drainSeconds) + STOP_MARGIN_S}</integer>`,
    '  <key>StandardErrorPath</key>',
    `  ${text(log)}`,
    '</dict>',
    '</plist>',
  ].join('\n')}\n`;
}
const escapeXml = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
