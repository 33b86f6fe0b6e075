import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConsentJudge } from '../../../../src/parts/safety/judge/consent-judge.ts';
import { createCommandJudge } from '../../../../src/parts/safety/judge/judge.ts';

const place = { kind: 'sandbox', workspace: '/nowhere/work', walled: true };
const judge = createConsentJudge(createCommandJudge({ 'approvals.deny': [] }, place), {
  ...place,
  masks: (path) => path.endsWith('/.env'),
});
const judged = (line: string): string => judge(line, { cwd: place.workspace, home: '/nowhere/me' }).type;

const SHOWN = [
  'cat .env',
  'cat < .env',
  'cd api && head -n 5 .env',
  'grep DB .env | sort',
  'cat .env | grep -i url | head -3',
  "sed -n '1,5p' .env",
  "awk '/DB/ {print}' .env",
  "awk -F= '{print $1}' .env",
  'cut -d= -f1 .env',
  'npm test; tail .env',
];
const CHANGED = [
  'tr a-z n-za-m < .env',
  'gzip -c .env | base64',
  'cat .env | base64',
  'cat .env | rev',
  'grep -o . .env',
  'grep --color=always a .env',
  'head -c 20 .env',
  "sed 's/./& /g' .env",
  "awk '{print substr($0, 2)}' .env",
  'x=$(cat .env); echo "$x" | rev',
  'while read -r l; do echo "${l#?}"; done < .env',
  'cat .env | while read -r l; do echo "${l#?}"; done',
  'xxd .env',
  'cat .env; xxd .env',
];

test('a file whose secrets are all known is shown without a question by what prints it as it stands', () => {
  for (const line of SHOWN) assert.equal(judged(line), 'fine', line);
  for (const line of CHANGED) assert.equal(judged(line), 'ask', line);
});
