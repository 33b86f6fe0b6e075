import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApprovalLine } from '../../../src/contracts/services/owner.ts';
import { describeBriefly } from '../../../src/base/brief.ts';
import { measureWidth } from '../../../src/base/width.ts';
import { toApprovalJson, renderApproval, renderApprovals, renderDecided } from '../../../src/faces/cli/approvals.ts';
import { paintFor } from '../../../src/base/screen/paint.ts';

const NOW = 1_800_000_000_000;
const screenOf = (columns: number) => ({ paint: paintFor({ isTTY: false }, {}), columns, now: NOW });
const LINE: ApprovalLine = {
  id: '3f2a91bc',
  at: NOW - 120_000,
  state: 'open',
  tool: 'terminal',
  summary: 'sudo true \u001b]0;`id`\u0007\nsecond',
  reason: 'it acts\nas another user',
  cwd: '/w',
  sessionId: 's1',
};

test('a list says what is left out of a line and where to see it', () => {
  assert.equal(
    renderApprovals([LINE], screenOf(Infinity)).split('\n')[1],
    '3f2a91bc  2 min ago  open   terminal  sudo true \\x1b]0;`id`\\x07↵second',
  );
  const narrow = renderApprovals([LINE, { ...LINE, summary: '漢字'.repeat(50) }], screenOf(60));
  const [, one = '', two = ''] = narrow.split('\n');
  assert.match(one, / {2}sudo true \\x1b\]0;… \+15$/);
  const [, shown = '', left = ''] = /terminal {2}(.*)… \+(\d+)$/.exec(two) ?? [];
  assert.equal(shown.length + Number(left), 100);
  for (const line of [one, two]) assert.ok(measureWidth(line) <= 60, line);
  assert.match(narrow, /Details: hermes approvals show ID\./);
  assert.equal(renderApprovals([], screenOf(80)), 'No pending questions.\n');
});

test('one question with all there is to know of it', () => {
  assert.equal(
    renderApproval(LINE, screenOf(80)),
    [
      '3f2a91bc  open  asked 2 min ago by terminal',
      '  │ sudo true \\x1b]0;`id`\\x07',
      '  │ second',
      '  (what cannot be seen is spelt out, such as \\x1b)',
      '  asked because it acts↵as another user',
      '  in /w',
      '  in session s1',
      '',
    ].join('\n'),
  );
  const cut = renderApproval({ ...LINE, summary: describeBriefly('x'.repeat(500)) }, screenOf(Infinity));
  assert.match(cut, /… \(500 characters, sha256 \w+\)\n[^]*in session s1; hermes sessions show s1 --json has all of it\n/);
  const behind = renderApproval({ ...LINE, files: ['/w/x\n.sh', '/w/y.sh'] }, screenOf(Infinity));
  assert.match(behind, /\n {2}applies to the present content of \/w\/x↵\.sh, \/w\/y\.sh; if it changes, Hermes asks again\n/);
});

test('an answer repeats what was answered', () => {
  assert.match(
    renderDecided({ ...LINE, state: 'allowed' }, true, screenOf(80)),
    /^Allowed, once: terminal\n {2}│ sudo true \\x1b[^]*\nTo continue: hermes chat --resume s1/,
  );
  assert.equal(renderDecided({ ...LINE, state: 'denied', summary: 'ls' }, false, screenOf(80)), 'Denied: terminal\n  │ ls\n');
  assert.equal(toApprovalJson(LINE).at, '2027-01-15T07:58:00.000Z');
});
