import assert from 'node:assert/strict';
import { run, testsOf, type OpenTerminal, type TerminalFeatures } from './terminal-commands.ts';

/** What a command leaves behind for the next one, and what it must not. */
export function testShellSnapshots(open: OpenTerminal, features: TerminalFeatures): void {
  const { noSnapshot, begunWithinMs: timeoutMs = 300 } = features;
  const story = testsOf(features, noSnapshot);

  story('variables, functions, aliases and options carry over', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    await run(
      terminal,
      `export GREETING="it's \\"a\\" \\$day
in two lines"; plain=1; list=(a 'b c'); declare -A map=([k]=v); greet() { echo "hello $1"; }; alias shout='echo LOUD'; set -o noglob; shopt -s nullglob`,
    );
    const { output } = await run(
      terminal,
      'env | grep -A1 ^GREETING; echo "$plain|${list[1]}|${map[k]}"; greet you; shout; echo *; shopt nullglob',
    );
    assert.equal(output, 'GREETING=it\'s "a" $day\nin two lines\n1|b c|v\nhello you\nLOUD\n*\nnullglob       \ton\n');
    await run(terminal, 'unset GREETING plain; unset -f greet; unalias shout; set +o noglob; shopt -u nullglob');
    assert.equal(
      (await run(terminal, 'echo "${GREETING-none}${plain-none}"; type greet shout 2>/dev/null; shopt nullglob')).output,
      'nonenone\nnullglob       \toff\n',
    );
  });

  story('a failing command and one with a trap of its own leave what they changed, too', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    assert.equal((await run(terminal, 'A=1; exit 3')).exitCode, 3);
    assert.equal((await run(terminal, "trap 'echo bye' EXIT; B=2")).output, 'bye\n');
    assert.equal((await run(terminal, 'set -euo pipefail; C=3; false; D=4')).exitCode, 1);
    assert.equal((await run(terminal, 'set +eu; echo "$A$B$C$D"')).output, '123\n');
  });

  story('what breaks off leaves the snapshot of the one before', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    await run(terminal, 'KEPT=yes');
    await run(terminal, 'KEPT=no; exec true');
    await run(terminal, 'KEPT=no; kill -9 $$');
    await run(terminal, 'KEPT=no; sleep 30', { timeoutMs });
    await run(terminal, 'KEPT=no; HUGE=$(head -c 2000000 /dev/zero | tr "\\0" x)');
    assert.equal((await run(terminal, 'echo "$KEPT${HUGE-}"')).output, 'yes\n');
  });

  story('nothing of it is heard, seen by a program, or said for another line', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    await run(terminal, 'set -x; A=1');
    // One sign for each shell word that is evaluated around it, and nothing else.
    assert.match((await run(terminal, 'set +x')).output, /^\+{1,3} set \+x\n$/);
    assert.equal((await run(terminal, 'true >&3')).exitCode, 1);
    assert.equal((await run(terminal, 'env | grep -i hermes_ | grep -v "^HERMES" || echo clean')).output, 'clean\n');
    assert.match((await run(terminal, 'true\nno-such-command-here')).output, /line 2: no-such-command-here/);
    assert.doesNotMatch((await run(terminal, 'echo "unfinished')).output, /__hermes/);
  });

  story('what is started in the background takes it up and leaves nothing', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    await run(terminal, 'export A=1; f() { echo "f $A"; }');
    const running = await terminal.start('f; A=2', { maxOutput: 1_000 });
    assert.equal(await running.exited, 0);
    assert.equal(running.output(), 'f 1\n');
    assert.equal((await run(terminal, 'echo $A')).output, '1\n');
  });

  story('commands side by side do not spoil it', async () => {
    const { terminal } = await open();
    await using _ = terminal;
    await run(terminal, 'A=1');
    await Promise.all([run(terminal, 'sleep 0.2; B=2'), run(terminal, 'sleep 0.1; C=3'), run(terminal, 'D=4')]);
    const { output } = await run(terminal, 'echo "$A"; echo "${B-}${C-}${D-}" | wc -c');
    assert.equal(output.replaceAll(' ', ''), '1\n2\n');
  });
}
