import { UsageError } from '../../../../base/errors.ts';
import { parseOrigin } from '../../../../base/http.ts';
import type { JsonObject } from '../../../../base/json-types.ts';
import { toVisibleLine } from '../../../../base/visible.ts';
import { defineCommand } from '../../../../contracts/services/define-command.ts';
import { toPlainId } from '../person.ts';
import { changeProfile, FACTS, readProfile, TARGET, type HonchoProfile } from './command-facts.ts';
import { REASONING_LEVELS, RECALL_MODES } from './settings.ts';

const MODES = RECALL_MODES;

export const honchoSetup = defineCommand({
  ...FACTS,
  name: 'honcho setup',
  summary: 'Set up Honcho: workspace, names, mode and the address of your own server',
  options: {
    ...TARGET,
    workspace: { kind: 'text', placeholder: 'name', description: 'the workspace; profiles that share one know the same person' },
    peer: { kind: 'text', placeholder: 'name', description: 'what you are called there' },
    aiPeer: { kind: 'text', placeholder: 'name', description: 'what the agent is called there' },
    mode: { kind: 'choice', choices: MODES, description: 'show facts beside messages, offer tools, or both (hybrid)' },
    baseUrl: { kind: 'text', placeholder: 'address', description: 'the address of your own server' },
  },
  ownerOnly: true,
  examples: ['hermes honcho setup', 'hermes honcho setup --workspace home --peer ada --base-url http://127.0.0.1:8000'],
  run: async ({ targetProfile, workspace, peer, aiPeer, mode, baseUrl }, { providerHomes }, { ask }) => {
    if (baseUrl !== undefined && parseOrigin(baseUrl) === '')
      throw new UsageError(`${baseUrl} is not an address such as http://127.0.0.1:8000.`);
    const { settings } = await readProfile(providerHomes, targetProfile);
    const answer = async (given: string | undefined, question: string, now: string): Promise<string> =>
      toName(given ?? ((await ask?.(`${question} (${now}): `)) || now), question);
    const wanted: JsonObject = {
      workspace: await answer(workspace, 'Workspace', settings.workspace),
      peerName: await answer(peer, 'Your name there', settings.peerName),
      aiPeer: await answer(aiPeer, "The agent's name there", settings.aiPeer),
      recallMode: mode ?? settings.recallMode,
      ...(baseUrl !== undefined && { baseUrl }),
    };
    return changeProfile(providerHomes, targetProfile, () => wanted);
  },
  describe: (changed) => `${describeSettings(changed)}\nTo set the key: hermes memory setup. To check the connection: hermes honcho status`,
});

export const honchoPeer = defineCommand({
  ...FACTS,
  name: 'honcho peer',
  summary: 'Show or set the names of you and the agent, and how hard Honcho thinks',
  options: {
    ...TARGET,
    user: { kind: 'text', placeholder: 'name', description: 'what you are called there' },
    ai: { kind: 'text', placeholder: 'name', description: 'what the agent is called there' },
    reasoning: { kind: 'choice', choices: REASONING_LEVELS, description: 'how hard it thinks about a question' },
  },
  ownerOnly: ({ user, ai, reasoning }) =>
    [user, ai, reasoning].some((value) => value !== undefined) ? 'to change who is who in Honcho' : undefined,
  examples: [
    'hermes honcho peer',
    'hermes honcho peer --user ada --ai helper',
    'hermes honcho peer --reasoning high --target-profile work',
  ],
  run: async ({ targetProfile, user, ai, reasoning }, { providerHomes }): Promise<HonchoProfile> => {
    const wanted: JsonObject = {
      ...(user !== undefined && { peerName: toName(user, '--user') }),
      ...(ai !== undefined && { aiPeer: toName(ai, '--ai') }),
      ...(reasoning !== undefined && { dialecticReasoningLevel: reasoning }),
    };
    return changeOrRead(providerHomes, targetProfile, wanted);
  },
  describe: ({ profile, settings }) =>
    `Profile ${profile}: you are ${settings.peerName}, the agent is ${settings.aiPeer}, reasoning is ${settings.reasoningLevel}.`,
});

export const honchoMode = defineCommand({
  ...FACTS,
  name: 'honcho mode',
  summary: 'Show or set what Honcho is used for: facts beside messages, tools, or both',
  arguments: { mode: { kind: 'choice', choices: MODES, description: 'context: facts only; tools: tools only; hybrid: both' } },
  options: TARGET,
  ownerOnly: ({ mode }) => (mode === undefined ? undefined : 'to change what Honcho is used for'),
  examples: ['hermes honcho mode', 'hermes honcho mode context'],
  run: ({ mode, targetProfile }, { providerHomes }): Promise<HonchoProfile> =>
    changeOrRead(providerHomes, targetProfile, mode === undefined ? {} : { recallMode: mode }),
  describe: ({ profile, settings }) => `Profile ${profile}: the mode is ${settings.recallMode}. New sessions use it.`,
});

export const honchoTokens = defineCommand({
  ...FACTS,
  name: 'honcho tokens',
  summary: 'Show or set how much Honcho may say',
  options: {
    ...TARGET,
    context: { kind: 'whole_number', placeholder: 'tokens', description: 'tokens of the facts beside one message' },
    dialectic: { kind: 'whole_number', placeholder: 'characters', description: 'characters of one answer of honcho_reasoning' },
  },
  ownerOnly: ({ context, dialectic }) =>
    context === undefined && dialectic === undefined ? undefined : 'to change how much Honcho may say',
  examples: ['hermes honcho tokens', 'hermes honcho tokens --context 2000 --dialectic 1500'],
  run: async ({ targetProfile, context, dialectic }, { providerHomes }): Promise<HonchoProfile> => {
    if (context === 0 || dialectic === 0) throw new UsageError('0 is too few. To show no facts beside messages: hermes honcho mode tools');
    const wanted = {
      ...(context !== undefined && { contextTokens: context }),
      ...(dialectic !== undefined && { dialecticMaxChars: dialectic }),
    };
    return changeOrRead(providerHomes, targetProfile, wanted);
  },
  describe: ({ profile, settings }) =>
    `Profile ${profile}: at most ${settings.contextTokens} tokens beside a message, ${settings.dialecticMaxChars} characters of an answer.`,
});

const createSwitch = (verb: 'enable' | 'disable', summary: string) =>
  defineCommand({
    ...FACTS,
    name: `honcho ${verb}`,
    summary,
    options: TARGET,
    ownerOnly: true,
    examples: [`hermes honcho ${verb}`, `hermes honcho ${verb} --target-profile work`],
    run: ({ targetProfile }, { providerHomes }): Promise<HonchoProfile> =>
      changeProfile(providerHomes, targetProfile, () => ({ enabled: verb === 'enable' })),
    describe: ({ profile }) => `Profile ${profile}: Honcho is ${verb === 'enable' ? 'on' : 'off'}. New sessions see it.`,
  });
export const honchoEnable = createSwitch('enable', 'Turn Honcho on in a profile');
export const honchoDisable = createSwitch('disable', 'Turn Honcho off in a profile; nothing is deleted');

const changeOrRead = async (
  homes: Parameters<typeof changeProfile>[0],
  target: string | undefined,
  wanted: JsonObject,
): Promise<HonchoProfile> => {
  if (Object.keys(wanted).length > 0) return changeProfile(homes, target, () => wanted);
  const { home: _home, ...view } = await readProfile(homes, target);
  return view;
};

function toName(given: string, what: string): string {
  const name = given.trim();
  if (name === '' || toPlainId(name) !== name)
    throw new UsageError(`${what}: ${JSON.stringify(given)} cannot be a name there. Use letters, digits, - and _.`);
  return name;
}

export const describeSettings = ({ profile, path, settings }: HonchoProfile): string =>
  [
    `Profile ${profile}${settings.enabled ? '' : ' (off)'}`,
    `Workspace: ${settings.workspace}`,
    `You: ${settings.peerName}`,
    `Agent: ${settings.aiPeer}`,
    `Mode: ${settings.recallMode}`,
    `File: ${toVisibleLine(path)}`,
  ].join('\n');
