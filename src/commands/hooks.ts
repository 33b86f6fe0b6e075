import { UsageError } from '../base/errors.ts';
import { toVisibleLine } from '../base/visible.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { HookLine } from '../contracts/services/hooks.ts';

const FACTS = { category: 'safety', where: ['shell'], whileBusy: 'run', needs: ['hooks'] } as const;
const NAME = { kind: 'text', required: true, description: 'its name, as hermes hooks list shows it' } as const;

export const hooksList = defineCommand({
  ...FACTS,
  name: 'hooks list',
  summary: 'List hooks: programs that run, and addresses that are told, when something happens',
  json: 'one JSON array',
  examples: ['hermes hooks list', "hermes hooks list --json | jq -r '.[].name'"],
  run: (_values, { hooks }) => hooks.list(),
  describe: (rows) =>
    rows.map(describeHook).join('\n') || 'There are no hooks. They go under hooks in config.yaml, or into the folder hooks of the profile.',
});

const STATES: Readonly<Record<HookLine['state'], (row: HookLine) => string>> = {
  trusted: () => 'trusted',
  untrusted: ({ name }) => `not trusted; read it, then type: hermes hooks trust ${name}`,
  changed: ({ name }) => `changed since it was trusted; read it, then type: hermes hooks trust ${name}`,
  refused: ({ why = '' }) => `cannot run: ${why}`,
  active: () => 'active',
};
const describeHook = (row: HookLine): string => {
  const { kind, name, path, events = [], matcher = '', failClosed, description = '' } = row;
  const what = kind === 'folder' ? description : path;
  const of = matcher === '' ? '' : `for ${matcher}`;
  return toVisibleLine(
    [
      name,
      name.startsWith(`${events[0] ?? ''}/`) ? '' : events.join(', '),
      of,
      what,
      failClosed === true ? 'blocks when it fails' : '',
      STATES[row.state](row),
    ]
      .filter((part) => part !== '')
      .join('  '),
  );
};

export const hooksTrust = defineCommand({
  ...FACTS,
  name: 'hooks trust',
  summary: 'Let a hook run, as its files and its command are now',
  arguments: { name: NAME },
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes hooks trust notify', 'hermes hooks trust pre_tool_call/1'],
  run: ({ name }, { hooks }) => hooks.trust(name),
  describe: ({ kind, name, path, events = [], files = [] }) => {
    const covered = kind === 'folder' ? path : ['the command', ...files].join(' or in ');
    return toVisibleLine(
      `${name} runs from now on when this happens: ${events.join(', ')}. A change in ${covered} needs your trust again.`,
    );
  },
});

export const hooksRevoke = defineCommand({
  ...FACTS,
  name: 'hooks revoke',
  summary: 'Keep a hook from running',
  arguments: { name: NAME },
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes hooks revoke notify'],
  run: async ({ name }, { hooks }) => {
    if (!(await hooks.revoke(name)))
      throw new UsageError(`${toVisibleLine(name)} is not trusted. hermes hooks list shows which hooks are.`);
    return { name, trusted: false };
  },
  describe: ({ name }) => toVisibleLine(`${name} no longer runs.`),
});

/** `ok: false` when the handler failed. */
export const hooksTest = defineCommand({
  ...FACTS,
  name: 'hooks test',
  summary: 'Run a trusted hook once with an example of an event, or post one to an address',
  arguments: { name: NAME, event: { kind: 'text', description: 'the event; the first it listens to when left out' } },
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes hooks test notify', 'hermes hooks test notify agent:end', 'hermes hooks test pre_tool_call/1'],
  run: ({ name, event }, { hooks }, { signal }) => hooks.test(name, event, signal),
  describe: ({ ok, name, event, why = '', output, answer }) =>
    [
      ...(output === '' ? [] : [output.split('\n').map(toVisibleLine).join('\n')]),
      ...(answer === undefined ? [] : [toVisibleLine(`Its answer: ${answer}`)]),
      `${name} ${ok ? 'handled' : 'failed on'} ${event}${ok ? '' : `: ${why}`}.`,
    ].join('\n'),
});

/** `ok: false` when something keeps a hook from running. */
export const hooksDoctor = defineCommand({
  ...FACTS,
  name: 'hooks doctor',
  summary: 'Say which hooks do not run, why, and what to do',
  json: 'as JSON',
  examples: ['hermes hooks doctor', "hermes hooks doctor --json | jq -r '.findings[].fix'"],
  run: (_values, { hooks }) => hooks.examine(),
  describe: ({ count, findings }) =>
    findings.length === 0
      ? count === 0
        ? 'There are no hooks.'
        : `${count === 1 ? 'The one hook' : `All ${count} hooks`} can run.`
      : findings.map(({ name, problem, fix }) => toVisibleLine(`${name}: ${problem}. ${fix}`)).join('\n'),
});
