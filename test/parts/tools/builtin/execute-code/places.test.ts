import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { LANGUAGES } from '../../../../../src/parts/tools/builtin/execute-code/languages.ts';
import { createRedactingTerminal } from '../../../../../src/parts/safety/secrets/terminal.ts';
import { secretsWith } from '../../../safety/secrets/setup.ts';
import { noBubblewrap, openSandboxed } from '../../../terminals/sandbox-stage.ts';
import { noPython, stage } from './stage.ts';

/** Programs below the home are not to be seen from a sandbox. */
const missing = (language: 'python' | 'javascript'): string | false =>
  existsSync(`/usr/bin/${LANGUAGES[language].program}`) ? false : `there is no /usr/bin/${LANGUAGES[language].program}`;

const CANARY = 'Zx81-canary-Qm4v7Lp2';

test('what a terminal redacts does not touch what is said between a script and us', { skip: noPython }, async () => {
  const secrets = secretsWith({ MY_KEY: CANARY });
  const { run, calls } = await stage({
    place: (plain) => createRedactingTerminal(plain, secrets),
    redact: (value) => secrets.redactAll(value),
  });
  const code = `from hermes_tools import echo
key = "${CANARY.slice(0, 8)}" + "${CANARY.slice(8)}"
print("api_key = ", end="", flush=True)
print(echo(value="password: hunter2-hunter2 " + "sk-" + "a1B2" * 10)["text"])
print(len(echo(value=key * 1000)["text"]) != len(key) * 1000, key)`;
  const told = await run(code);
  assert.match(told, /^api_key = \S*\n?[^]*True «[^»]+»\n\[success, 2 tool calls/);
  assert.doesNotMatch(told, new RegExp(CANARY));
  assert.equal(
    calls[0],
    `echo password: hunter2-hunter2 sk-${'a1B2'.repeat(10)}`,
    'what only looks like a secret goes to the tool as it is',
  );
  assert.doesNotMatch(calls[1] ?? '', new RegExp(CANARY));
});

for (const [language, code] of [
  [
    'python',
    'import os\nfrom hermes_tools import echo\nprint(echo(value="in")["text"], os.path.exists("/tmp"), [n for n in os.listdir("/tmp") if n.startswith("hermes-code")] != [])',
  ],
  [
    'javascript',
    `console.log((await echo({ value: 'in' })).text, 'True', require('node:fs').readdirSync('/tmp').some((name) => name.startsWith('hermes-code')) ? 'True' : 'False')`,
  ],
] as const)
  test(`a script runs in the sandbox when commands do: ${language}`, { skip: noBubblewrap ?? missing(language) }, async () => {
    const { terminal } = await openSandboxed({}, { PATH: '/usr/local/bin:/usr/bin:/bin' });
    await using _ = terminal;
    const { run } = await stage({ place: () => terminal });
    const told = await run(code, language);
    assert.match(told, /^in True True\n\[success, 1 tool call/);
    const left = await terminal.run('ls /tmp', { signal: new AbortController().signal, timeoutMs: 10_000, maxOutput: 1_000 });
    assert.doesNotMatch(left.output, /hermes-code/);
  });
