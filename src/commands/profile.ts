import { resolve } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { formatCount } from '../base/screen/figures.ts';
import { toVisibleLine } from '../base/visible.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { ProfileRow, ProfileView } from '../contracts/services/profiles.ts';

const FACTS = { category: 'settings', where: ['shell'], whileBusy: 'run', needs: ['profiles'], json: 'as JSON' } as const;
const NAME = { kind: 'text', required: true, completes: 'profile', description: 'the name of a profile' } as const;

export const profileList = defineCommand({
  ...FACTS,
  name: 'profile list',
  summary: 'List the profiles',
  json: 'one JSON array',
  examples: ['hermes profile list'],
  run: (_values, { profiles }) => profiles.list(),
});

export const profileShow = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal', 'chat'],
  slash: ['profile'],
  name: 'profile show',
  summary: 'Show a profile: its folder, its model and what it has',
  arguments: { name: { kind: 'text', completes: 'profile', description: 'the name of a profile; the current one when left out' } },
  examples: ['hermes profile show', 'hermes profile show work'],
  run: ({ name }, { profiles }) => profiles.show(name ?? profiles.current),
  describe: describeProfile,
});

export function describeProfile({ name, home, description, active, model, provider, hasKeys, skills, hasSessions }: ProfileView): string {
  const has = [hasKeys ? 'keys' : 'no keys', `${formatCount(skills, 'skill')} of its own`, hasSessions ? 'sessions' : 'no sessions'];
  return [
    `Profile ${name}${active ? ', used when none is named' : ''}`,
    ...(description === undefined ? [] : [toVisibleLine(description)]),
    `Folder: ${toVisibleLine(home)}`,
    `Model: ${model === undefined ? 'not set' : toVisibleLine(model)}${provider === undefined ? '' : ` of ${toVisibleLine(provider)}`}`,
    `Has: ${has.join(', ')}`,
  ].join('\n');
}

export const profileCreate = defineCommand({
  ...FACTS,
  name: 'profile create',
  summary: 'Create a profile: a home of its own with settings, keys, memory and sessions',
  arguments: { name: { kind: 'text', required: true, description: 'its name: a-z, 0-9, - and _' } },
  options: {
    clone: { kind: 'flag', description: 'copy settings, keys, SOUL.md and skills; channels and schedules stay behind' },
    cloneAll: { kind: 'flag', description: 'copy memory, plugins and sessions as well' },
    cloneFrom: {
      kind: 'text',
      placeholder: 'profile',
      completes: 'profile',
      description: 'copy from this profile instead of the current one',
    },
    description: { kind: 'text', placeholder: 'text', description: 'what it is for' },
  },
  ownerOnly: true,
  examples: ['hermes profile create work --clone', 'hermes profile create research --clone-from work --description "reading papers"'],
  run: ({ name, clone, cloneAll, cloneFrom, description }, { profiles }) =>
    profiles.create(name, {
      ...(cloneAll === true ? { clone: 'all' } : (clone === true || cloneFrom !== undefined) && { clone: 'settings' }),
      ...(cloneFrom !== undefined && { from: cloneFrom }),
      ...(description !== undefined && { description }),
    }),
});

export const profileUse = defineCommand({
  ...FACTS,
  name: 'profile use',
  summary: 'Use a profile whenever none is named',
  arguments: { name: NAME },
  ownerOnly: true,
  examples: ['hermes profile use work', 'hermes profile use default'],
  run: ({ name }, { profiles }) => profiles.use(name),
});

export const profileRename = defineCommand({
  ...FACTS,
  name: 'profile rename',
  summary: 'Rename a profile',
  arguments: { name: NAME, next: { kind: 'text', required: true, placeholder: 'new-name', description: 'its new name' } },
  ownerOnly: true,
  examples: ['hermes profile rename work office'],
  run: async ({ name, next }, { profiles }): Promise<{ readonly from: string; readonly profile: ProfileRow }> => ({
    from: name,
    profile: await profiles.rename(name, next),
  }),
});

export const profileDelete = defineCommand({
  ...FACTS,
  name: 'profile delete',
  aliases: ['profile remove'],
  summary: 'Move a profile to the trash',
  arguments: { name: NAME },
  options: { yes: { kind: 'flag', description: 'do not ask for confirmation' } },
  ownerOnly: true,
  examples: ['hermes profile delete old', 'hermes profile delete old --yes'],
  run: async ({ name, yes }, { profiles }, { confirm }) => {
    const { home } = await profiles.show(name);
    if (yes !== true && confirm === undefined)
      throw new UsageError(`this moves the profile ${name} with its settings, keys and sessions to the trash; add --yes to do it.`);
    if (yes !== true && (await confirm?.(`Move the profile ${name} (${home}) to the trash?`)) !== true)
      throw new UsageError('nothing was deleted.');
    return profiles.remove(name);
  },
});

export const profileExport = defineCommand({
  ...FACTS,
  name: 'profile export',
  summary: 'Write a profile to a .tar.gz, without keys, channels and schedules',
  arguments: { name: NAME, file: { kind: 'text', completes: 'file', description: 'the file to write; NAME.tar.gz when left out' } },
  options: { sessions: { kind: 'flag', description: 'include the sessions' } },
  ownerOnly: true,
  examples: ['hermes profile export work', 'hermes profile export work ~/work.tar.gz --sessions'],
  run: ({ name, file = `${name}.tar.gz`, sessions }, { profiles }, { cwd }) =>
    profiles.exportTo(name, resolve(cwd, file), { sessions: sessions === true }),
});

export const profileImport = defineCommand({
  ...FACTS,
  name: 'profile import',
  summary: 'Create a profile from an exported file',
  arguments: {
    file: { kind: 'text', required: true, completes: 'file', description: 'the file that was exported' },
    name: { kind: 'text', description: 'the name of the new profile; that of the file when left out' },
  },
  ownerOnly: true,
  examples: ['hermes profile import work.tar.gz', 'hermes profile import work.tar.gz office'],
  run: ({ file, name }, { profiles }, { cwd }) => profiles.importFrom(resolve(cwd, file), name),
});
