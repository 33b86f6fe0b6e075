import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { SecretRequest } from '../../../../../../src/contracts/ports.ts';
import { createSecretPort } from '../../../../../../src/parts/safety/secrets/port.ts';
import { localTerminal } from '../../../../../../src/parts/terminals/local/local.ts';
import { secretsWith } from '../../../../safety/secrets/setup.ts';
import { tempFolder } from '../../../setup.ts';
import { questionText, ran, wallStage, type WallStageOptions } from './stage.ts';

const PASSWORD = 'correct horse battery';
/** A sudo that asks for a password as the real one does: by the program in SUDO_ASKPASS, three times at most, never on a terminal. */
const SUDO = `#!/bin/sh
log=$(dirname "$0")/log
{ echo "argv: $*"; env; } >> "$log"
case "$1" in -n) echo "sudo: a password is required" >&2; exit 1;; esac
[ "$1" = -A ] || { echo "sudo: a terminal is required to read the password; either use the -S option to read from standard input or configure an askpass helper" >&2; exit 1; }
shift
for try in 1 2 3; do
  said=$("$SUDO_ASKPASS" "[sudo] password for me:") || { echo "sudo: no password was provided" >&2; exit 1; }
  echo "asked" >> "$log"
  [ "$said" = "$(cat "$(dirname "$0")/password")" ] && { [ "$1" = -v ] && exit 0; exec "$@"; }
  echo "Sorry, try again." >&2
done
echo "sudo: 3 incorrect password attempts" >&2
exit 1
`;

async function sudoStage(typed: readonly string[], more: Partial<WallStageOptions> = {}, password = PASSWORD) {
  const bin = tempFolder();
  writeFileSync(join(bin, 'sudo'), SUDO);
  chmodSync(join(bin, 'sudo'), 0o755);
  writeFileSync(join(bin, 'password'), `${password}\n`);
  const terminal = await localTerminal.open({ cwd: bin, env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` } });
  after(() => terminal[Symbol.asyncDispose]());
  const secrets = secretsWith({});
  const [asked, answers]: [SecretRequest[], string[]] = [[], [...typed]];
  const read = async (question: SecretRequest) => {
    asked.push(question);
    return answers.shift() ?? '';
  };
  const signal = new AbortController().signal;
  const stage = wallStage({
    inside: [ran('inside')],
    outside: (command) => terminal.run(command, { signal, timeoutMs: 10_000, maxOutput: 2_000 }),
    answers: ['y', 'y', 'y'],
    ports: { secret: createSecretPort(read, secrets) },
    tool: { restore: secrets.restore },
    ...more,
  });
  const log = (): string => (existsSync(join(bin, 'log')) ? readFileSync(join(bin, 'log'), 'utf8') : '');
  return { ...stage, bin, passwords: asked, log };
}
const leftovers = (): readonly string[] =>
  ['/dev/shm', '/tmp'].flatMap((folder) => readdirSync(folder).filter((name) => name.startsWith('hermes-askpass-')));

test('a line with sudo is asked about once, as what acts with other rights and outside, and never tried inside', async () => {
  const stage = await sudoStage([PASSWORD]);
  assert.equal(await stage.call({ command: 'sudo echo done' }), 'done\n[This ran outside the sandbox, allowed by the user.]');
  assert.equal(
    stage.asked.map(questionText).join('\n\n'),
    `Run this command outside the sandbox?
│ sudo echo done
Asked because sudo works only outside the sandbox. Outside, it runs as another user.
In /home/me/shop.
1. Yes, this once
2. No`,
  );
  assert.ok(stage.did.every((line) => line.startsWith('outside: ')));
});

test('the password is asked for once a session, and goes to sudo alone', async () => {
  const stage = await sudoStage([PASSWORD]);
  await stage.call({ command: 'sudo echo one' });
  const output = await stage.call({
    command: 'echo before; sudo echo two; env | grep -c "battery"; echo "$SUDO_ASKPASS" | grep -c battery',
  });
  assert.match(output, /^before\ntwo\n0\n0/);
  assert.deepEqual(stage.passwords, [
    {
      name: 'sudo password',
      question: 'Your password for sudo?',
      notes: ['For: sudo echo one', 'It goes only to sudo. The agent never sees it, and it is forgotten when this session ends.'],
    },
  ]);
  assert.ok(stage.log().includes('argv: -A echo two'));
  assert.ok(![stage.log(), output, ...stage.did].some((text) => text.includes(PASSWORD)));
  assert.deepEqual(leftovers(), []);
});

test('a wrong password is asked for again, at most twice, and each counts once', async () => {
  const stage = await sudoStage(['wrong password 1', PASSWORD]);
  assert.match(await stage.call({ command: 'sudo echo done' }), /^done\n/);
  assert.equal(stage.passwords[1]?.notes?.[0], 'sudo did not accept that password.');
  const never = await sudoStage(['wrong password 1', 'wrong password 2', 'wrong password 3', PASSWORD]);
  await assert.rejects(
    never.call({ command: 'sudo echo done' }),
    /Not run: sudo did not accept the password 3 times\. Do not try it again; tell the user\./,
  );
  assert.equal(never.log().match(/^asked$/gm)?.length, 3);
  assert.equal(never.passwords.length, 3);
  assert.deepEqual(leftovers(), []);
});

test('without a password, or without a place to type one, nothing runs and the reason is told', async () => {
  const none = await sudoStage([]);
  await assert.rejects(none.call({ command: 'sudo echo done' }), /Not run: sudo needs a password, and the user gave none\./);
  const nowhere = await sudoStage([], { ports: {} });
  await assert.rejects(
    nowhere.call({ command: 'sudo echo done' }),
    /Not run: sudo needs a password, and none can be typed here\. The user can run this command in a terminal/,
  );
});

test('a no asks for no password', async () => {
  const stage = await sudoStage([PASSWORD], { answers: ['No'] });
  await assert.rejects(stage.call({ command: 'sudo echo done' }), /Not run outside the sandbox: the user said no\./);
  assert.deepEqual([stage.passwords, stage.did], [[], []]);
});

test('sudo in a script that failed at the wall gets the password too', async () => {
  const failed = ran('sudo: effective uid is not 0, is /usr/bin/sudo on a file system with the nosuid option set?\n', 1);
  const stage = await sudoStage([PASSWORD], { inside: [failed] });
  writeFileSync(join(stage.bin, 'install.sh'), '#!/bin/sh\nsudo echo installed\n', { mode: 0o755 });
  assert.match(
    await stage.call({ command: './install.sh' }),
    /^installed\n\[This first failed in the sandbox, where it could not become another user \(sudo\)\. It then ran again outside/,
  );
  assert.equal(stage.passwords.length, 1);
  assert.deepEqual(leftovers(), []);
});
