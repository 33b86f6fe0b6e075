/**
 * What the reference system's settings file may hold and this version does not read yet. Such a file must keep working,
 * so these are accepted without a word; anything else that is not a setting is a mistake.
 */
const SECTIONS = words(`
  display platforms curator checkpoints stt voice
  wake_word security plugins hooks hooks_auto_accept  mcp_single_query_discovery_timeout
  cron kanban logging goals loops updates privacy session sessions runtime dashboard personalities quick_commands
  model_aliases model_catalog timezone
  context_file_read_timeout max_concurrent_sessions max_live_sessions tool_budget openrouter bedrock network gateway
  monitoring human_delay credential_pool_strategies custom_providers fallback_model secrets _config_version`);

/** Keys of the reference inside sections that are ours. */
const KEYS: Readonly<Record<string, ReadonlySet<string>>> = {
  model: words('api_key streaming default_headers aliases persist_switch_by_default'),
  agent: words(`
    budget_warning_ratio run_budget_seconds gateway_timeout gateway_timeout_warning gateway_notify_interval clarify_timeout
    empty_response_guard service_tier fast_auto_seconds  execution_guidance intent_ack_continuation stall_guards
    task_completion_guidance parallel_tool_call_guidance environment_probe  coding_context coding_instructions
    verify_on_stop verify_guidance max_verify_nudges image_input_mode reasoning_effort reasoning_overrides
    reasoning_echo turn_liveness agent_cache local_stream_stale_timeout verbose  personalities`),
  terminal: words(`
    temp_dir degraded_mode home_mode credential_files shell_init_files auto_source_bashrc persistent_shell lifetime_seconds
    daemon_term_grace_seconds oneshot_completion_wait_seconds`),
  approvals: words('cron_mode single_query_mode unattended_mode mcp_reload_confirm destructive_slash_confirm'),
  security: words(
    'protected_instruction_files tirith_enabled tirith_path tirith_timeout tirith_fail_open approval allow_lazy_installs acked_advisories',
  ),
  delegation: words(
    'model provider base_url api_key api_mode fallback_providers request_overrides inherit_mcp_toolsets orchestrator_enabled subagent_auto_approve independent_completions default_toolsets',
  ),
  code_execution: words('mode kernel_idle_timeout max_session_kernels'),
  browser: words(`
    backend record_sessions engine cdp_url dialog_policy dialog_timeout_s use_real_profile camofox extension_control`),
  tts: words('speed openai elevenlabs edge minimax mistral gemini xai piper'),
  moa: words('reference_models aggregator enabled'),
  tool_output: words('max_lines max_line_length'),
  'tools.tool_search': words('threshold_pct listing listing_max_tokens'),
  tool_loop_guardrails: words('warnings_enabled warn_after hard_stop_after web_search_limit subagent_limit'),
  compression: words(`
    protect_first_n summary_model summary_provider summary_base_url max_attempts model_thresholds threshold_tokens abort_on_summary_failure
    checkpoint_required in_place context_timeout_seconds context_total_ceiling_seconds idle_compact_after_seconds min_tail_user_messages mode`),
  context: words('plugins'),
  'auxiliary.compression': words('api_key timeout extra_body reasoning_effort max_tokens'),
  'auxiliary.approval': words('api_key base_url timeout extra_body reasoning_effort max_tokens'),
  'auxiliary.title_generation': words('api_key base_url timeout extra_body reasoning_effort max_tokens'),
  'auxiliary.vision': words('api_key base_url timeout extra_body reasoning_effort max_tokens'),
  auxiliary: words(`
    web_extract session_search skills_hub mcp flush_memories background_review triage_specifier
    kanban_decomposer profile_describer curator goal_judge tts_audio_tags monitor`),
  memory: words('nudge_interval write_approval review_model char_limit'),
  skills: words(
    'template_vars inline_shell inline_shell_timeout guard_agent_created write_approval create_dir trusted_project_dirs config creation_nudge_interval',
  ),
  database: words('journal_mode wal_autocheckpoint journal_size_limit synchronous'),
};

export function isUnsupported(key: string, ours: ReadonlySet<string>): boolean {
  const [section = '', member = '', inner = ''] = key.split('.');
  if (!ours.has(section)) return SECTIONS.has(section);
  return (KEYS[section]?.has(member) ?? false) || (KEYS[`${section}.${member}`]?.has(inner) ?? false);
}

/** The members a section may hold beside our own. */
export const unsupportedMembers = (section: string): readonly string[] => [...(KEYS[section] ?? [])];
export const unsupportedSections = (): readonly string[] => [...SECTIONS];

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}
