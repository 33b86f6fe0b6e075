import type { HookName } from './hooks.ts';

/** What a hook may do: look on, give a value another form or add words, decide. */
export type HookKind = 'observe' | 'transform' | 'decide';

/** Every hook there is, with what it may do. */
export const HOOK_KINDS: Readonly<Record<HookName, HookKind>> = {
  on_session_start: 'observe',
  on_session_end: 'observe',
  on_session_finalize: 'observe',
  on_session_reset: 'observe',
  on_session_switch: 'observe',
  pre_llm_call: 'transform',
  post_llm_call: 'observe',
  turn_outcome: 'observe',
  agent_loop_stopped: 'observe',
  pre_api_request: 'observe',
  post_api_request: 'observe',
  api_request_error: 'observe',
  on_stream_start: 'observe',
  on_stream_delta: 'observe',
  on_stream_end: 'observe',
  pre_tool_call: 'decide',
  transform_terminal_output: 'transform',
  post_tool_call: 'observe',
  transform_tool_result: 'transform',
  pre_compress: 'transform',
  post_compress: 'observe',
  pre_approval_request: 'observe',
  post_approval_response: 'observe',
  subagent_start: 'observe',
  subagent_stop: 'observe',
  memory_write: 'observe',
  on_skill_lifecycle: 'observe',
  pre_command: 'observe',
  pre_gateway_dispatch: 'decide',
  gateway_platform_event: 'observe',
  delivery: 'observe',
};

/** Those that are about one tool, which a matcher can choose by its name. */
export const TOOL_HOOKS: ReadonlySet<string> = new Set<HookName>([
  'pre_tool_call',
  'transform_terminal_output',
  'post_tool_call',
  'transform_tool_result',
  'pre_approval_request',
  'post_approval_response',
]);

export const isHookName = (name: string): name is HookName => Object.hasOwn(HOOK_KINDS, name);
