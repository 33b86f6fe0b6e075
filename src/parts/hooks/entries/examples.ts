import type { HookInput, HookName } from '../../../contracts/hooks.ts';
import { NO_USAGE } from '../../../contracts/message.ts';

const session = { sessionId: 'test', platform: 'cli' };
const turn = { ...session, turnId: 'turn-1', model: 'test-model' };
const end = { ...turn, outcome: 'answered', exitReason: 'answered', steps: 2, ms: 1_500, usage: NO_USAGE } as const;
const apiCall = { ...turn, provider: 'test', estimatedTokens: 1_200, ms: 900 };
const stream = { ...session, model: 'test-model' };
const call = { tool: 'terminal', args: { command: 'ls' }, sessionId: 'test', turnId: 'turn-1', callId: 'call-1' };
const result = {
  ...call,
  result: {
    role: 'tool',
    callId: 'call-1',
    name: 'terminal',
    content: [{ type: 'text', text: 'README.md', trust: 'tool' }],
    failed: false,
  },
  ms: 20,
  status: 'done',
} as const;
const question = { ...turn, questionId: 'question-1', tool: 'terminal', summary: 'rm -r build', reason: 'it removes files' };
const chat = { platform: 'telegram', account: 'main', chatId: '7' };

/** Every hook's input, of nobody: for `hermes hooks test` and for the page that lists the keys. */
export const HOOK_EXAMPLES: { readonly [Name in HookName]: HookInput<Name> } = {
  on_session_start: turn,
  on_session_end: end,
  on_session_finalize: { ...session, reason: 'exit' },
  on_session_reset: { ...session, reason: 'reset' },
  on_session_switch: { ...session, fromSessionId: 'earlier', reason: 'branch' },
  pre_llm_call: { ...session, model: 'test-model', userMessage: 'What is new?', isFirstTurn: true },
  post_llm_call: { ...turn, userMessage: 'What is new?', assistantResponse: 'Nothing.' },
  turn_outcome: end,
  agent_loop_stopped: { ...end, outcome: 'stopped', exitReason: 'interrupted' },
  pre_api_request: { ...session, provider: 'test', model: 'test-model', messageCount: 3, toolCount: 12, estimatedTokens: 1_200 },
  post_api_request: { ...apiCall, finishReason: 'stop', usage: NO_USAGE, price: 0.01 },
  api_request_error: { ...apiCall, reason: 'rate_limited' },
  on_stream_start: stream,
  on_stream_delta: { ...stream, kind: 'text', delta: 'Noth' },
  on_stream_end: { ...stream, isFinished: true },
  pre_tool_call: call,
  transform_terminal_output: { ...call, command: 'ls', output: 'README.md', exitCode: 0 },
  post_tool_call: result,
  transform_tool_result: result,
  pre_compress: { ...session, reason: 'threshold', model: 'test-model', messageCount: 80, estimatedTokens: 90_000 },
  post_compress: {
    ...session,
    report: {
      engine: 'compressor',
      reason: 'threshold',
      outcome: 'summary',
      tokensBefore: 90_000,
      tokensAfter: 20_000,
      messagesBefore: 80,
      messagesAfter: 12,
      ms: 4_000,
    },
  },
  pre_approval_request: question,
  post_approval_response: { ...question, isAllowed: true },
  subagent_start: { ...session, parentSessionId: 'parent', goal: 'Count the files' },
  subagent_stop: { ...session, parentSessionId: 'parent', outcome: 'answered', summary: 'Seven.', ms: 2_000 },
  memory_write: { ...session, by: 'agent', target: 'user', action: 'replace', content: 'Likes tea', oldText: 'Likes coffee' },
  on_skill_lifecycle: { ...session, by: 'agent', skill: 'release-notes', action: 'created' },
  pre_command: { sessionId: 'test', command: 'model', args: '', place: 'terminal', by: 'owner' },
  pre_gateway_dispatch: {
    ...chat,
    threadId: '3',
    chatType: 'private',
    senderId: '7',
    role: 'owner',
    text: 'Hello',
    isEdit: false,
    fileCount: 0,
    sessionId: 'test',
  },
  gateway_platform_event: { platform: 'telegram', account: 'main', type: 'link', state: 'connected' },
  delivery: { ...chat, threadId: '3', deliveryId: '12', sessionId: 'test', state: 'sent', partCount: 1, attempts: 0 },
};
