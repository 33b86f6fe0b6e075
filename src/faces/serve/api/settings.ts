import { ownersAlone, type SettingsSlice } from '../../../contracts/settings.ts';

/** The API that programs call. All of it grants something. */
export const apiServerSettings = ownersAlone({
  'gateway.api_server.enabled': {
    kind: 'boolean',
    default: false,
    env: 'API_SERVER_ENABLED',
    describe:
      'Serve the API in `hermes gateway run`. `hermes serve` serves it in any case. It needs a key, which `hermes config set API_SERVER_KEY --secret` keeps.',
  },
  'gateway.api_server.host': {
    kind: 'string',
    default: '127.0.0.1',
    env: 'API_SERVER_HOST',
    describe: 'Address on which the API listens. The default is only this computer.',
  },
  'gateway.api_server.port': {
    kind: 'integer',
    default: 8_642,
    min: 0,
    max: 65_535,
    env: 'API_SERVER_PORT',
    describe: 'Port on which the API listens; 0 takes any free one.',
  },
  'gateway.api_server.cors_origins': {
    kind: 'list',
    default: [],
    env: 'API_SERVER_CORS_ORIGINS',
    describe:
      'Web pages that may call the API from a browser, by their origin: https://chat.example.org. `*` allows all. Others are refused.',
  },
  'gateway.api_server.model_name': {
    kind: 'string',
    default: '',
    env: 'API_SERVER_MODEL_NAME',
    describe: 'What the agent is called as a model. Empty: the name of the profile, or hermes-agent for the default one.',
  },
  'gateway.api_server.max_concurrent_runs': {
    kind: 'integer',
    default: 10,
    min: 1,
    max: 1_000,
    describe: 'How many runs of the API may be at work at once. Further ones are refused with status 429.',
  },
  'gateway.api_server.tool_items': {
    kind: 'choice',
    choices: ['mcp_call', 'function_call'],
    default: 'mcp_call',
    describe:
      "As what responses show the agent's own tools: `mcp_call`, which clients show and do not run, or `function_call` with `function_call_output`. A request can choose with `metadata.hermes_tool_items`.",
  },
  'gateway.api_server.tool_result_timeout': {
    kind: 'number',
    default: 3_600,
    min: 1,
    describe: 'Seconds in which a client must come back with the results of its own tools. A turn that waits longer ends.',
  },
  'gateway.api_server.keys': {
    kind: 'table',
    default: {} as Readonly<Record<string, unknown>>,
    describe:
      'Further keys of the API, by name: NAME: {key_env: VARIABLE, toolsets: [web], budget_usd: 5, budget_tokens: 1000000, approve: false, memory: false}. The key itself is in the variable, in .env.',
  },
} as const satisfies SettingsSlice);
