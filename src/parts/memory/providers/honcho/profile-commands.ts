import { UsageError } from '../../../../base/errors.ts';
import type { JsonObject } from '../../../../base/json-types.ts';
import { toVisibleLine } from '../../../../base/visible.ts';
import { defineCommand } from '../../../../contracts/services/define-command.ts';
import { toPlainId } from '../person.ts';
import { changeProfile, FACTS, readProfile, TARGET } from './command-facts.ts';

export const honchoPeers = defineCommand({
  ...FACTS,
  name: 'honcho peers',
  summary: 'List who is who in Honcho, in every profile',
  options: TARGET,
  json: 'one JSON array',
  examples: ['hermes honcho peers'],
  run: async ({ targetProfile }, { providerHomes }) => {
    const profiles = targetProfile === undefined ? providerHomes.list() : [targetProfile];
    const found = await Promise.all(profiles.map((profile) => readProfile(providerHomes, profile)));
    return found.map(({ profile, home, settings }) => ({
      profile,
      isUsed: home.provider === 'honcho' && settings.enabled,
      workspace: settings.workspace,
      user: settings.peerName,
      ai: settings.aiPeer,
    }));
  },
  describe: (rows) =>
    rows
      .map(
        ({ profile, isUsed, workspace, user, ai }) =>
          `${profile}: you are ${user}, the agent is ${ai}, in ${workspace}${isUsed ? '' : ' (not in use)'}`,
      )
      .join('\n'),
});

export const honchoSessions = defineCommand({
  ...FACTS,
  name: 'honcho sessions',
  summary: 'List the places whose sessions go on under one name',
  options: TARGET,
  json: 'one JSON array',
  examples: ['hermes honcho sessions'],
  run: async ({ targetProfile }, { providerHomes }) => {
    const { settings } = await readProfile(providerHomes, targetProfile);
    return Object.entries(settings.sessions).map(([place, session]) => ({ place, session }));
  },
  describe: (rows) =>
    rows.length === 0
      ? 'No place is mapped: every session is one of its own in Honcho. To map one: hermes honcho map NAME'
      : rows.map(({ place, session }) => `${toVisibleLine(place)}: ${toVisibleLine(session)}`).join('\n'),
});

export const honchoMap = defineCommand({
  ...FACTS,
  name: 'honcho map',
  summary: 'Let all sessions of a place go on as one session in Honcho',
  arguments: { name: { kind: 'text', description: 'the name of the session in Honcho' } },
  options: {
    ...TARGET,
    place: { kind: 'text', default: 'cli', description: 'cli for the terminal, or PLATFORM:CHAT for a chat' },
    remove: { kind: 'flag', description: 'end the mapping: every session is one of its own again' },
  },
  ownerOnly: true,
  examples: ['hermes honcho map desk', 'hermes honcho map family --place telegram:12345', 'hermes honcho map --remove'],
  run: async ({ name, place, remove, targetProfile }, { providerHomes }) => {
    if ((name === undefined) !== (remove === true)) throw new UsageError('give a name to map the place to, or --remove.');
    if (name !== undefined && (name === '' || toPlainId(name) !== name))
      throw new UsageError(`${JSON.stringify(name)} cannot be the name of a session there. Use letters, digits, - and _.`);
    const changed = await changeProfile(providerHomes, targetProfile, ({ sessions }) => {
      const { [place]: _before, ...others } = sessions;
      return { sessions: name === undefined ? others : { ...others, [place]: name } };
    });
    return { profile: changed.profile, place, ...(name !== undefined && { session: name }) };
  },
  describe: ({ place, session }) =>
    session === undefined
      ? `Sessions of ${toVisibleLine(place)} are sessions of their own again.`
      : `Sessions of ${toVisibleLine(place)} go on as ${session} in Honcho.`,
});

/** What profiles have in common; the agent has a name of its own in each, so that one is not taken for another. */
export const honchoSync = defineCommand({
  ...FACTS,
  name: 'honcho sync',
  summary: 'Give all profiles the workspace, your name and the mode of one profile',
  options: TARGET,
  ownerOnly: true,
  examples: ['hermes honcho sync', 'hermes honcho sync --target-profile work'],
  run: async ({ targetProfile }, { providerHomes }) => {
    const { profile: from, settings } = await readProfile(providerHomes, targetProfile);
    const common: JsonObject = { workspace: settings.workspace, peerName: settings.peerName, recallMode: settings.recallMode };
    const changed: string[] = [];
    for (const profile of providerHomes.list().filter((each) => each !== from)) {
      await changeProfile(providerHomes, profile, (before) => ({
        ...common,
        aiPeer: before.aiPeer === settings.aiPeer ? `${settings.aiPeer}-${profile}` : before.aiPeer,
      }));
      changed.push(profile);
    }
    return { from, changed };
  },
  describe: ({ from, changed }) =>
    changed.length === 0
      ? 'There is no other profile.'
      : `${changed.join(', ')}: workspace, your name and the mode are now those of ${from}.`,
});
