import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureWidth } from '../../../../src/base/width.ts';
import { createBuiltinRegistry } from '../../../../src/commands/builtin.ts';
import { help, toCommandHelp } from '../../../../src/commands/help.ts';
import type { AnyCommand } from '../../../../src/contracts/command.ts';
import type { DrawContext } from '../../../../src/faces/tui/contract.ts';
import { drawCommandResult } from '../../../../src/faces/tui/draw/command-result.ts';

const contextOf = (columns: number, style: DrawContext['style'] = (_name, text) => text): DrawContext => ({
  columns,
  rows: 24,
  style,
  now: 0,
  showThinking: false,
});
const commandCalled = (name: string): AnyCommand => createBuiltinRegistry().find(name) ?? assert.fail(name);
const draw = (name: string, text: string, context: DrawContext): string[] | undefined =>
  drawCommandResult({ type: 'done', command: commandCalled(name), result: {}, text, notices: [] }, context);

const OVERVIEW = help.describe?.({ commands: createBuiltinRegistry().at('terminal').map(toCommandHelp) }) ?? '';

test('the overview of commands has every command, in columns where there is room, and never a line that is too wide', () => {
  for (const columns of [20, 40, 63, 64, 80, 120]) {
    const lines = draw('help', OVERVIEW, contextOf(columns)) ?? [];
    assert.deepEqual(
      lines.filter((line) => measureWidth(line) > columns),
      [],
    );
    const text = lines.join('\n');
    for (const command of createBuiltinRegistry().at('terminal'))
      assert.ok(text.includes(`  /${command.slash?.[0] ?? command.name}`), command.name);
  }
  const wide = draw('help', OVERVIEW, contextOf(100)) ?? [];
  assert.ok(wide.some((line) => /^ {2}\/title <title> {2,}Give a session a title$/.test(line)));
  assert.ok(!wide.some((line) => line.includes('[--save]')), 'options are told by the help of one command');
  const narrow = draw('help', OVERVIEW, contextOf(40)) ?? [];
  assert.deepEqual(narrow.slice(narrow.indexOf('  /title <title>')).slice(0, 2), ['  /title <title>', '    Give a session a title']);
});

test('terms stand out, headings and other lines stay as they are, and no foreign sequence goes through', () => {
  const marked: DrawContext['style'] = (name, text) => `<${name}>${text}</>`;
  const text = 'Personality: none\n  \u001b[2Jbutler: Speak\u001b]0;x\u0007 like a butler.\n* pirate: Arr: me hearties.';
  assert.deepEqual(draw('personality', text, contextOf(80, marked)), [
    'Personality: none',
    '<accent>  butler</>    Speak like a butler.',
    '<accent>  * pirate</>  Arr: me hearties.',
  ]);
});

test('the help of one command has its options in columns', () => {
  const text = '/cron run <job> [options]: Run a job\n  job: which one\n  --context-from <job>: what it gave\n  --yes: do it';
  assert.deepEqual(draw('help', text, contextOf(80)), [
    '  /cron run <job> [options]  Run a job',
    '  job                        which one',
    '  --context-from <job>       what it gave',
    '  --yes                      do it',
  ]);
});

test('a diff is colored line by line, a long line goes on below, and a command without a drawing has none', () => {
  const marked: DrawContext['style'] = (name, text) => `<${name}>${text}</>`;
  assert.deepEqual(draw('diff', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+a new line\n same\n', contextOf(8, marked)), [
    '<strong>--- a/x</>',
    '<strong>+++ b/x</>',
    '<faint>@@ -1 +1</>',
    '<faint> @@</>',
    '<diff.removed>-old</>',
    '<diff.added>+a new l</>',
    '<diff.added>ine</>',
    '<diff.context> same</>',
  ]);
  assert.equal(draw('status', 'Session x', contextOf(80)), undefined);
});
