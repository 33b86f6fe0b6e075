import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SkillSurveyView } from '../../../src/contracts/services/skills.ts';
import type { Skill } from '../../../src/contracts/skills.ts';
import { colours, plain } from '../../../src/base/screen/paint.ts';
import {
  renderInstallPlan,
  renderSkill,
  renderSkillChecks,
  renderSkills,
  toSkillChecksJson,
  toSkillsJson,
} from '../../../src/faces/cli/skills.ts';

const SCREEN = { paint: plain, columns: Infinity, now: 0 };
const skill = (name: string, category: string, over: Partial<Skill> = {}): Skill => ({
  name,
  description: `About ${name}`,
  category,
  folder: `/s/${category}/${name}`,
  origin: 'user',
  platforms: [],
  conditions: { requiresTools: [], requiresToolsets: [], fallbackForTools: [], fallbackForToolsets: [] },
  tags: [],
  related: [],
  ...over,
});
const row = (one: Skill, over: object = {}) => ({ skill: one, madeByAgent: false, problems: [], ...over });

const SURVEY: SkillSurveyView = {
  rows: [
    row(skill('code-review', 'dev', { origin: 'bundled' })),
    row(skill('mac-only', 'dev'), { hidden: 'for macos, and this is linux' }),
    row(skill('made', 'ops', { description: 'Tells\u001b[2J a lie' }), { madeByAgent: true, problems: ['its name will not do'] }),
    row(skill('got', 'ops'), { source: 'me/all/got' }),
  ],
  problems: [{ path: '/s/broken/SKILL.md', words: 'it is empty' }],
};

test('the list groups by category, tells origins and keeps hidden ones faint with their reason', () => {
  assert.equal(
    renderSkills(SURVEY, SCREEN),
    [
      'dev',
      'code-review  bundled       About code-review',
      'mac-only     yours         hidden: for macos, and this is linux',
      '',
      'ops',
      'made         by the agent  Tells a lie',
      'got          installed     About got',
      '',
      '4 skills, 1 of them hidden',
      '',
      '! /s/ops/made: its name will not do',
      '! /s/broken/SKILL.md: it is empty',
      '',
    ].join('\n'),
  );
  const drawn = renderSkills(SURVEY, { ...SCREEN, paint: colours });
  assert.ok(drawn.includes(colours.faint('hidden: for macos, and this is linux')));
  assert.ok(drawn.includes(colours.accent('code-review')));
  const narrow = renderSkills({ rows: [row(skill('a', 'c', { description: 'x'.repeat(200) }))], problems: [] }, { ...SCREEN, columns: 40 });
  assert.ok(narrow.split('\n').every((line) => line.length <= 40));
  assert.equal(renderSkills({ rows: [], problems: [] }, SCREEN), '0 skills\n');
});

test('one skill in full', () => {
  const view = {
    skill: skill('a', 'ops', { version: '2', related: ['b'] }),
    page: { body: '\n# A\n\u001b]0;evil\u0007Do.\n' },
    files: [
      { path: 'references/x.md', bytes: 1234 },
      { path: 'scripts/y.sh', bytes: 5 },
    ],
    missing: [{ kind: 'variable' as const, name: 'TOKEN', purpose: 'uploads' }],
    admission: { allow: false as const, notice: 'something was found' },
  };
  assert.equal(
    renderSkill(view, SCREEN),
    [
      'a  About a',
      'category  ops',
      'origin    user',
      'version   2',
      'folder    /s/ops/a',
      'related   b',
      'files     references/x.md (1,234 bytes)',
      '          scripts/y.sh (5 bytes)',
      'missing: environment variable TOKEN (uploads)',
      'something was found',
      '',
      '# A',
      'Do.',
      '',
    ].join('\n'),
  );
});

test('what a check found', () => {
  const clean = { name: 'a', folder: '/s/a', origin: 'user' as const, issues: [] };
  const bad = {
    name: 'b',
    folder: '/s/b',
    issues: [
      { kind: 'finding', words: 'scripts/x.sh: exfiltration', severe: true },
      { kind: 'setup', words: 'environment variable X is not set up', severe: false },
    ],
  };
  assert.equal(renderSkillChecks([clean], SCREEN), '✓ 1 skill looked at, nothing found\n');
  assert.equal(
    renderSkillChecks([clean, bad], SCREEN),
    'b  /s/b\n  ✗ scripts/x.sh: exfiltration\n  ! environment variable X is not set up\n\n2 skills looked at, something found in 1\n',
  );
  assert.deepEqual(toSkillChecksJson([clean, bad]), [
    { name: 'a', folder: '/s/a', origin: 'user', ok: true, issues: [] },
    { name: 'b', folder: '/s/b', origin: null, ok: false, issues: bad.issues },
  ]);
});

test('what is asked about before installing', () => {
  const plan = {
    name: 'a',
    description: 'About a',
    source: 'https://x/SKILL.md',
    target: '/s/installed/a',
    files: [{ path: 'SKILL.md', bytes: 1200 }],
    findings: [{ file: 'SKILL.md', threat: 'prompt_injection', severe: false, line: 3, excerpt: 'ignore' }],
    absent: ['references/x.md'],
    covers: '/bundled/a',
  };
  assert.equal(
    renderInstallPlan(plan, SCREEN),
    [
      'a  About a',
      'from https://x/SKILL.md',
      'to   /s/installed/a, 1 file, 1,200 bytes',
      '     SKILL.md',
      'it speaks of references/x.md, which its source does not have',
      'it takes precedence over /bundled/a from then on',
      'SKILL.md line 3: prompt_injection (ignore)',
      '',
    ].join('\n'),
  );
});

test('nothing is taken out of what would be installed, and no text of it can pass for another line', () => {
  const sly = (words: string) => `${words}\u001b[2K\u202e\nfrom https://trusted.example`;
  const plan = {
    name: sly('n'),
    description: sly('d'),
    source: sly('s'),
    target: sly('t'),
    files: [{ path: sly('f'), bytes: 1 }],
    findings: [{ file: sly('g'), threat: 'exfiltration', severe: true, line: 1, excerpt: sly('e') }],
    absent: [sly('a')],
    replaces: sly('r'),
    covers: sly('c'),
  };
  const shown = renderInstallPlan(plan, SCREEN);
  assert.equal(shown.split('\n').length, 9);
  for (const letter of 'ndstfgearc') assert.ok(shown.includes(`${letter}\\x1b[2K\\u202e↵from https`), letter);
});

test('rows for scripts', () => {
  assert.deepEqual(toSkillsJson({ rows: SURVEY.rows.slice(1, 2), problems: [] }), [
    {
      name: 'mac-only',
      description: 'About mac-only',
      category: 'dev',
      origin: 'user',
      folder: '/s/dev/mac-only',
      version: null,
      tags: [],
      shown: false,
      hidden_because: 'for macos, and this is linux',
      source: null,
      made_by_agent: false,
      problems: [],
    },
  ]);
});
