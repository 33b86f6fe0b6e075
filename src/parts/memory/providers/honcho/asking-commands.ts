import { resolve } from 'node:path';
import { UsageError, toErrorMessage } from '../../../../base/errors.ts';
import { parseHost } from '../../../../base/http.ts';
import { toPrintable } from '../../../../base/printable.ts';
import { readTextFile } from '../../../../base/text-file.ts';
import { defineCommand } from '../../../../contracts/services/define-command.ts';
import { readList } from '../facts.ts';
import { orMissing } from './client.ts';
import { FACTS, openForCommand, readProfile, TARGET } from './command-facts.ts';
import { mirrorWrite } from './mirror.ts';
import { readHoncho } from './provider.ts';
import { describeSettings } from './setting-commands.ts';
import { toPath } from './wire.ts';

export const honchoStatus = defineCommand({
  ...FACTS,
  name: 'honcho status',
  summary: 'Show the settings of Honcho and whether it answers',
  options: TARGET,
  examples: ['hermes honcho status', 'hermes honcho status --target-profile work --json'],
  run: async ({ targetProfile }, { providerHomes }, { signal }) => {
    const { home, ...view } = await readProfile(providerHomes, targetProfile);
    const { client, baseUrl, trouble } = readHoncho(home);
    const connection =
      trouble ??
      (await findTrouble(() => client.ask({ method: 'POST', path: '/v3/workspaces', body: { id: view.settings.workspace }, signal })));
    return { ok: connection === undefined, ...view, server: parseHost(baseUrl), ...(connection !== undefined && { trouble: connection }) };
  },
  describe: ({ server, trouble, ...view }) =>
    `${describeSettings(view)}\nServer: ${server}\n${trouble === undefined ? 'Connected.' : `Not connected: ${toPrintable(trouble)}`}`,
});

async function findTrouble(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return toErrorMessage(error);
  }
}

const MAX_FILE = 256 * 1024;
/** A card has short lines. */
const MAX_CARD = 40;

export const honchoIdentity = defineCommand({
  ...FACTS,
  name: 'honcho identity',
  summary: 'Show or set what Honcho knows of the agent itself, from a file such as SOUL.md',
  arguments: {
    file: { kind: 'text', completes: 'file', description: 'a text file; every line that says something becomes a line of the card' },
  },
  options: { ...TARGET, show: { kind: 'flag', description: 'show it; this is what happens when no file is given' } },
  ownerOnly: ({ file }) => (file === undefined ? undefined : 'to change what Honcho knows of the agent'),
  examples: ['hermes honcho identity', 'hermes honcho identity ~/.hermes/SOUL.md'],
  run: async ({ file, show, targetProfile }, { providerHomes }, { cwd, signal }) => {
    if (file !== undefined && show === true) throw new UsageError('give a file or --show, not both.');
    const { client, settings } = await openForCommand(providerHomes, targetProfile);
    const path = toPath(settings, 'peers', settings.aiPeer, 'card');
    if (file === undefined) {
      const answer = await orMissing(client.ask({ method: 'GET', path, signal }));
      return { peer: settings.aiPeer, card: readList(answer, 'peer_card').filter((line) => typeof line === 'string') };
    }
    const read = readTextFile(resolve(cwd, file), MAX_FILE);
    if (!read.ok) throw new UsageError(`${file} cannot be read: ${read.why}.`);
    const card = toCard(read.text);
    if (card.length === 0) throw new UsageError(`${file} says nothing.`);
    await client.ask({ method: 'POST', path: '/v3/workspaces', body: { id: settings.workspace }, signal });
    await client.ask({ method: 'POST', path: toPath(settings, 'peers'), body: { id: settings.aiPeer }, signal });
    await client.ask({ method: 'PUT', path, body: { peer_card: card }, signal });
    return { peer: settings.aiPeer, card };
  },
  describe: ({ peer, card }) =>
    card.length === 0 ? `Honcho knows nothing of ${peer} yet.` : [`${peer}:`, ...card.map((line) => `  ${toPrintable(line)}`)].join('\n'),
});

const toCard = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim().replace(/^(?:[-*#]+)\s*/, ''))
    .filter((line) => line !== '')
    .slice(0, MAX_CARD);

export const honchoMigrate = defineCommand({
  ...FACTS,
  name: 'honcho migrate',
  summary: 'Copy the entries of MEMORY.md and USER.md to Honcho; what is there already is left as it is',
  options: TARGET,
  ownerOnly: true,
  examples: ['hermes honcho migrate', 'hermes honcho migrate --target-profile work'],
  run: async ({ targetProfile }, { providerHomes }, { signal }) => {
    const { client, home } = await openForCommand(providerHomes, targetProfile);
    let copied = 0;
    let left = 0;
    for (const { target, entries } of await home.memory())
      for (const { text, blocked } of entries) {
        if (blocked !== undefined) left += 1;
        else await mirrorWrite(client, { key: text, operation: { action: 'add', content: text }, target }, signal);
        copied += blocked === undefined ? 1 : 0;
      }
    return { profile: home.profile, copied, left };
  },
  describe: ({ copied, left }) =>
    `${copied} entries are in Honcho.${left === 0 ? '' : ` ${left} were left out, because they are kept from the model; hermes memory list says why.`}`,
});
