import { arch, platform, release, userInfo } from 'node:os';
import { DEFAULT_PROFILE, toProfileName } from '../base/profile.ts';
import { formatCount } from '../base/screen/figures.ts';
import { toVisibleLine } from '../base/visible.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import { findSession, SESSION_REF, withModel } from './find-session.ts';

const FACTS = { category: 'help', where: ['terminal', 'chat'], whileBusy: 'run' } as const;

export const version = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal', 'chat'],
  name: 'version',
  summary: 'Show the version of hermes',
  json: 'as JSON',
  examples: ['hermes version'],
  needs: ['program'],
  run: async (_values, { program }) => ({ version: program.version }),
  describe: ({ version: number }) => `hermes ${number}`,
});

export const whoami = defineCommand({
  ...FACTS,
  name: 'whoami',
  summary: 'Show who you are to hermes, and which profile is in use',
  examples: ['/whoami'],
  needs: ['profiles'],
  run: async (_values, { profiles }, { by = 'owner', place }) => ({ by, place, profile: profiles.current }),
  describe: ({ by, profile }) => {
    const rights =
      by === 'owner'
        ? `You are the owner (${toVisibleLine(userInfo().username)}).`
        : 'You are a guest: only the owner can use every command.';
    return `${rights} Profile: ${profile}.`;
  },
});

/** What a report of a problem should say; no key, no path of a secret and nothing of the conversation is in it. */
export const debug = defineCommand({
  ...FACTS,
  where: ['terminal'],
  name: 'debug',
  summary: 'Show the facts that a bug report needs',
  arguments: { session: { kind: 'text', description: SESSION_REF.description, session: '' } },
  ownerOnly: true,
  examples: ['/debug'],
  needs: ['store', 'configuration', 'program'],
  run: async ({ session: ref }, { store, configuration, program }, context) => {
    const session = ref === undefined ? undefined : withModel(await findSession(ref, store), context);
    const calls = session === undefined ? [] : await store.calls({ sessionId: session.id });
    const { settings, problems } = await configuration.standing();
    const failed = calls.filter(({ result }) => !ANSWERED.has(result));
    return {
      version: program.version,
      node: process.version,
      system: `${platform()} ${release()} ${arch()}`,
      terminal: [process.env['TERM'], process.env['TERM_PROGRAM'], process.env['TMUX'] === undefined ? undefined : 'tmux']
        .flatMap((name) => name ?? [])
        .join(' '),
      profile: toProfileName(configuration.path.replace(/\/config\.yaml$/, '')),
      changedSettings: settings.filter(({ from }) => from !== 'default').map(({ key }) => key),
      problems: problems.length,
      ...(session !== undefined && { session, calls: calls.length, failed: failed.map(({ result }) => result) }),
    };
  },
  describe: ({ version: number, node, system, terminal, profile, changedSettings, problems, session, calls = 0, failed = [] }) =>
    [
      `hermes ${number}, Node ${node}, ${system}`,
      ...(terminal === '' ? [] : [`Terminal: ${toVisibleLine(terminal)}`]),
      ...(profile === DEFAULT_PROFILE ? [] : [`Profile: ${profile}`]),
      `Settings changed: ${changedSettings.join(', ') || 'none'}${problems === 0 ? '' : ` (${formatCount(problems, 'problem')}: hermes config check)`}`,
      ...(session === undefined
        ? []
        : [
            `Session ${session.id}: ${toVisibleLine(session.model)} of ${toVisibleLine(session.provider)}, ${formatCount(session.messages, 'message')}, ${formatCount(calls, 'call')}`,
            `Last turn: ${session.lastExitReason ?? 'none yet'}; failed calls: ${countEach(failed) || 'none'}`,
          ]),
    ].join('\n'),
});
const ANSWERED: ReadonlySet<string> = new Set(['stop', 'tool_calls', 'length', 'content_filter', 'paused']);
const countEach = (words: readonly string[]): string =>
  [...Map.groupBy(words, (word) => word)].map(([word, { length }]) => `${word} ${length}`).join(', ');
