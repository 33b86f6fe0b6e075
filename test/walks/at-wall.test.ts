import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { noSandbox } from '../parts/terminals/sandbox-stage.ts';
import { noPty } from './on-terminal.ts';
import { command, resultsIn, stage } from './stage.ts';
import { openTerminalUi, PAUSE_MS } from './terminal-ui.ts';
import { lacks } from '../programs.ts';

const ENTER = '\r';
const PASSWORD = 'open sesame 42';
/** As much of sudo as matters: it takes a password from the program in SUDO_ASKPASS alone. */
const SUDO = `#!/bin/sh
[ "$1" = -n ] && { echo "sudo: a password is required" >&2; exit 1; }
[ "$1" = -A ] || { echo "sudo: a terminal is required to read the password" >&2; exit 1; }
shift
[ "$("$SUDO_ASKPASS")" = "${PASSWORD}" ] || { echo "Sorry, try again." >&2; exit 1; }
[ "$1" = -v ] && exit 0
exec "$@"
`;

test(
  'at the wall: what stopped a command is shown and asked about, and sudo gets its password',
  { skip: noPty || noSandbox || lacks('ssh') },
  async () => {
    await using server = await startWireServer({ models: ['test-model'] });
    const { home, cwd } = stage({
      model: { base_url: `${server.url}/v1`, default: 'test-model', context_length: 128_000 },
      terminal: { backend: 'sandbox' },
    });
    const bin = join(home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'sudo'), SUDO);
    chmodSync(join(bin, 'sudo'), 0o755);
    await using ui = await openTerminalUi({
      home,
      cwd,
      rows: 40,
      columns: 100,
      env: { OPENAI_API_KEY: 'sk-not-a-key-000000', PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    });
    await ui.until(/Ctrl\+D exits/);

    server.script(command('ssh web1.invalid uptime'), { text: 'Then not.' });
    ui.type(`is the server up?${ENTER}`);
    await ui.until(/Run this command outside the sandbox\?[\s\S]*it could not connect to web1\.invalid[\s\S]*› No\s+Yes, this once/);
    await pause(PAUSE_MS);
    ui.type('\r');
    await ui.until(/Then not\./);
    assert.match(
      resultsIn(server.requests.at(-1)).at(-1) ?? '',
      /\[The sandbox stopped this: it could not connect to web1\.invalid\. .*the user said no/,
    );

    server.script(command('sudo echo restarted'), { text: 'Restarted.' });
    ui.type(`restart it${ENTER}`);
    await ui.until(/Run this command outside the sandbox\?[\s\S]*sudo echo restarted[\s\S]*› No\s+Yes, this once/);
    await pause(PAUSE_MS);
    ui.type('\x1b[B\r');
    await ui.until(/Your password for sudo\?/);
    await pause(PAUSE_MS);
    ui.type(`${PASSWORD}${ENTER}`);
    await ui.until(/Restarted\./);
    assert.match(resultsIn(server.requests.at(-1)).at(-1) ?? '', /^restarted\n[\s\S]*This ran outside the sandbox, allowed by the user/);
    assert.ok(!JSON.stringify(server.requests).includes(PASSWORD));
  },
);
