import { UsageError } from '../base/errors.ts';
import { toVisibleLine } from '../base/visible.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { HookLine } from '../contracts/services/hooks.ts';

const FACTS = { category: 'safety', where: ['shell'], whileBusy: 'run', needs: ['hooks'] } as const;
const NAME = { kind: 'text', required: true, description: 'the name of its folder, as hermes hooks list shows it' } as const;

export const hooksList = defineCommand({
  ...FACTS,
  name: 'hooks list',
  summary: 'List hooks: programs the gateway runs when something happens',
  json: 'one JSON array',
  examples: ['hermes hooks list', "hermes hooks list --json | jq -r '.[].name'"],
  run: (_values, { hooks }) => hooks.list(),
  describe: (rows) => rows.map(describeHook).join('\n') || 'There are no hooks. They go into the folder hooks of the profile.',
});

const STATES: Readonly<Record<HookLine['state'], (row: HookLine) => string>> = {
  trusted: () => 'trusted',
  untrusted: ({ name }) => `not trusted; read it, then type: hermes hooks trust ${name}`,
  changed: ({ name }) => `changed since it was trusted; read it, then type: hermes hooks trust ${name}`,
  refused: ({ why = '' }) => `cannot run: ${why}`,
};
const describeHook = (row: HookLine): string => {
  const { name, events = [], description = '' } = row;
  return toVisibleLine([name, events.join(', '), description, STATES[row.state](row)].filter((part) => part !== '').join('  '));
};

export const hooksTrust = defineCommand({
  ...FACTS,
  name: 'hooks trust',
  summary: 'Let a hook run, as its files are now',
  arguments: { name: NAME },
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes hooks trust notify'],
  run: ({ name }, { hooks }) => hooks.trust(name),
  describe: ({ name, path, events = [] }) =>
    toVisibleLine(`${name} runs from now on when this happens: ${events.join(', ')}. A change in ${path} needs your trust again.`),
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
  describe: ({ name }) => toVisibleLine(`${name} does not run any more.`),
});

/** `ok: false` when the handler failed. */
export const hooksTest = defineCommand({
  ...FACTS,
  name: 'hooks test',
  summary: 'Run a trusted hook once, with an example of an event',
  arguments: { name: NAME, event: { kind: 'text', description: 'the event; the first it listens to when left out' } },
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes hooks test notify', 'hermes hooks test notify agent:end'],
  run: ({ name, event }, { hooks }, { signal }) => hooks.test(name, event, signal),
  describe: ({ ok, name, event, why = '', output }) =>
    [
      ...(output === '' ? [] : [output.split('\n').map(toVisibleLine).join('\n')]),
      `${name} ${ok ? 'handled' : 'failed on'} ${event}${ok ? '' : `: ${why}`}.`,
    ].join('\n'),
});
