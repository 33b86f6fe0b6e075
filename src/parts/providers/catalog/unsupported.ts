/** A provider the reference system has and this version cannot reach yet. Naming it gets a clear answer instead of "unknown". */
export interface UnsupportedProvider {
  readonly id: string;
  readonly aliases: readonly string[];
  /** What is missing, to stand after "needs". */
  readonly needs: string;
  /** What works today, to stand after "use". */
  readonly instead: string;
}

const ANY_GATEWAY = 'openrouter (OPENROUTER_API_KEY), which offers most models';
const ADDRESS = 'a server by its address: --base-url URL -m MODEL, with the key in OPENAI_API_KEY';

export const UNSUPPORTED_PROVIDERS: readonly UnsupportedProvider[] = [
  { id: 'openai-codex', aliases: ['codex', 'chatgpt'], needs: 'the ChatGPT sign-in', instead: 'openai-api (OPENAI_API_KEY)' },
  { id: 'nous-oauth', aliases: ['nous-device-code'], needs: 'the Nous Portal sign-in', instead: 'nous (NOUS_API_KEY)' },
  {
    id: 'nous-messages',
    aliases: ['nous-anthropic'],
    needs: 'a confirmed Anthropic wire at the Nous Portal',
    instead: 'nous (NOUS_API_KEY), which offers the same models',
  },
  {
    id: 'anthropic-oauth',
    aliases: ['claude-code', 'claude-oauth'],
    needs: 'the Claude sign-in',
    instead: 'anthropic (ANTHROPIC_API_KEY)',
  },
  { id: 'xai-oauth', aliases: ['grok-oauth'], needs: 'the xAI sign-in', instead: 'xai (XAI_API_KEY)' },
  { id: 'qwen-oauth', aliases: ['qwen-portal'], needs: 'the Qwen sign-in', instead: 'alibaba (DASHSCOPE_API_KEY)' },
  { id: 'minimax-oauth', aliases: [], needs: 'the MiniMax sign-in', instead: 'minimax (MINIMAX_API_KEY)' },
  { id: 'copilot', aliases: ['github', 'github-copilot'], needs: 'the GitHub sign-in with its exchange of tokens', instead: ANY_GATEWAY },
  { id: 'copilot-acp', aliases: [], needs: 'the Copilot program as a child process', instead: ANY_GATEWAY },
  { id: 'vertex', aliases: ['google-vertex', 'vertex-ai'], needs: 'Google Cloud sign-in', instead: 'gemini (GEMINI_API_KEY)' },
  {
    id: 'bedrock',
    aliases: ['aws', 'amazon-bedrock'],
    needs: 'AWS request signing',
    instead: `anthropic (ANTHROPIC_API_KEY) or ${ANY_GATEWAY}`,
  },
  { id: 'moa', aliases: ['mixture-of-agents'], needs: 'several models answering as one', instead: 'one model of any provider' },
  {
    id: 'opencode-free',
    aliases: [],
    needs: 'an address without a key that we could confirm',
    instead: 'opencode-zen (OPENCODE_ZEN_API_KEY)',
  },
  { id: 'actual', aliases: [], needs: 'an address that we could confirm', instead: ADDRESS },
];

export const findUnsupportedProvider = (name: string): UnsupportedProvider | undefined =>
  UNSUPPORTED_PROVIDERS.find((row) => row.id === name.toLowerCase() || row.aliases.includes(name.toLowerCase()));

/** Variables that hold a token of a sign-in, and the provider above that will read them. */
const LATER_VARIABLES: Readonly<Record<string, string>> = {
  ANTHROPIC_TOKEN: 'anthropic-oauth',
  CLAUDE_CODE_OAUTH_TOKEN: 'anthropic-oauth',
};

/** Words for the tokens that are set and cannot be used yet. */
export const describeUnsupportedTokens = (env: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(LATER_VARIABLES).flatMap(([variable, id]) => {
    const row = findUnsupportedProvider(id);
    return (env[variable] ?? '') === '' || row === undefined
      ? []
      : [`${variable} is set but not used: ${describeUnsupportedProvider(row)}`];
  });

export const describeUnsupportedProvider = ({ id, needs, instead }: UnsupportedProvider): string =>
  `${id} needs ${needs}, which this version does not support yet. Use ${instead}.`;
