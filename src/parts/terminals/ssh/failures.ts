import { formatSshDestination, type SshSettings } from './command-lines.ts';

/** What ssh says when it fails, and what the owner can do about it. First match wins. */
const CURES: readonly (readonly [sign: RegExp, cure: (settings: SshSettings) => string])[] = [
  [
    /IDENTIFICATION HAS CHANGED|Host key verification failed/,
    ({ host, port }) =>
      `The host shows another key than the one known here. If it was set up anew, forget the old key with \`ssh-keygen -R ${port === undefined || port === 22 ? host : `'[${host}]:${port}'`}\`; if it was not, somebody may stand in between.`,
  ],
  [
    /UNPROTECTED PRIVATE KEY|bad permissions/,
    ({ key }) => `Others can read the private key, so ssh does not use it: \`chmod 600 ${key ?? 'KEY'}\`.`,
  ],
  [
    /Permission denied|Too many authentication failures/,
    (settings) =>
      `No key was accepted, and nobody can be asked for a password. Put a public key into authorized_keys there (\`ssh-copy-id ${formatSshDestination(settings)}\`) and name the private one in terminal.ssh_key; one with a passphrase must be in the agent.`,
  ],
  [/Could not resolve hostname|Name or service not known/, () => 'No host of that name is known. Check terminal.ssh_host.'],
  [/Connection refused/, () => 'Nothing listens there. Check terminal.ssh_port, and whether sshd runs on the host.'],
  [
    /timed out|No route to host|Network is unreachable/,
    () => 'The host does not answer. Check that it is up and can be reached from here.',
  ],
  [/Identity file .* not accessible/, () => 'The private key is not there. Check terminal.ssh_key.'],
];

/** What was tried, what came back and what to do. */
export function describeSshFailure(settings: SshSettings, said: string): string {
  const words = said
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^@+$|^@ .* @$/.test(line))
    .slice(-3)
    .join(' ');
  const cure = CURES.find(([sign]) => sign.test(said))?.[1](settings) ?? `Try \`ssh ${formatSshDestination(settings)}\` by hand.`;
  return `ssh could not reach ${formatSshDestination(settings)}${words === '' ? '' : ` (${words})`}. ${cure}`;
}
