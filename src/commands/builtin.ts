import type { AnyCommand, CommandGroup } from '../contracts/command.ts';
import { acp } from './acp.ts';
import * as approvals from './approvals.ts';
import * as trust from './trust.ts';
import { yolo } from './yolo.ts';
import * as screen from './screen.ts';
import { reloadMcp } from './reload.ts';
import * as programInfo from './program-info.ts';
import { personality } from './personality.ts';
import * as display from './display.ts';
import { diff } from './diff.ts';
import * as conversationLog from './conversation-log.ts';
import { completion } from './completion.ts';
import { contextUse } from './context.ts';
import * as aside from './aside.ts';
import { chat } from './chat.ts';
import { backup, restore } from './backup.ts';
import * as batch from './batch.ts';
import * as env from './env.ts';
import * as cron from './cron.ts';
import * as cronRuns from './cron-runs.ts';
import * as checkpoints from './checkpoints.ts';
import * as config from './config.ts';
import * as conversation from './conversation.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import * as gateway from './gateway.ts';
import { gatewaySetup } from './gateway-setup.ts';
import { help } from './help.ts';
import * as hooks from './hooks.ts';
import * as pluginFolders from './plugin-folders.ts';
import * as plugins from './plugins.ts';
import { insights } from './insights.ts';
import * as mcp from './mcp.ts';
import { mcpServe } from './mcp-serve.ts';
import { serve } from './serve.ts';
import * as memory from './memory.ts';
import * as memoryProvider from './memory-provider.ts';
import { migrate } from './migrate.ts';
import { model } from './model.ts';
import * as pairing from './pairing.ts';
import * as processes from './processes.ts';
import * as profile from './profile.ts';
import * as prompt from './prompt.ts';
import { createCommandRegistry, type CommandRegistry } from './registry.ts';
import { replay } from './replay.ts';
import * as rollback from './rollback.ts';
import { send } from './send.ts';
import { setup } from './setup.ts';
import * as sessions from './sessions.ts';
import * as skills from './skills.ts';
import * as tools from './tools.ts';
import * as trash from './trash.ts';
import { retry, undo } from './undo.ts';
import { update } from './update.ts';
import { usage } from './usage.ts';
import * as webhook from './webhook.ts';

/** Every command we bring along, in the order of help. */
const COMMANDS: readonly AnyCommand[] = [
  setup,
  model,
  chat,
  demo,
  acp,
  sessions.sessionsList,
  sessions.sessionsShow,
  sessions.sessionsSearch,
  sessions.sessionsExport,
  sessions.sessionsRename,
  sessions.sessionsDelete,
  sessions.sessionsRebuildPrompt,
  sessions.sessionsCompress,
  sessions.sessionsRepair,
  sessions.sessionsBackup,
  replay,
  usage,
  insights,
  doctor,
  prompt.promptShow,
  prompt.promptScan,
  prompt.promptAllow,
  memory.memoryList,
  memory.memoryAdd,
  memory.memoryRemove,
  memory.memoryPath,
  memoryProvider.memorySetup,
  memoryProvider.memoryStatus,
  memoryProvider.memoryOff,
  memoryProvider.memoryExport,
  memoryProvider.memoryImport,
  skills.skillsList,
  skills.skillsView,
  skills.skillsInstall,
  skills.skillsRemove,
  skills.skillsCheck,
  mcp.mcpList,
  mcp.mcpAdd,
  mcp.mcpTest,
  mcp.mcpRemove,
  mcpServe,
  serve,
  config.configGet,
  config.configSet,
  config.configUnset,
  config.configEdit,
  config.configMigrate,
  config.configPath,
  config.configCheck,
  config.configSchema,
  config.configExplain,
  profile.profileList,
  profile.profileShow,
  profile.profileCreate,
  profile.profileUse,
  profile.profileRename,
  profile.profileDelete,
  profile.profileExport,
  profile.profileImport,
  env.envList,
  env.envExplain,
  env.envEvaluate,
  env.envProcess,
  env.envServe,
  env.envCompare,
  env.envNew,
  batch.batchRun,
  batch.batchDistributions,
  batch.batchStats,
  batch.batchCompress,
  batch.batchExport,
  backup,
  restore,
  update,
  migrate,
  approvals.approvalsList,
  approvals.approvalsShow,
  approvals.approvalsAllow,
  approvals.approvalsDeny,
  approvals.approvalsMode,
  trust.trust,
  trust.trustList,
  trust.trustRemove,
  pairing.pairingList,
  pairing.pairingApprove,
  pairing.pairingRevoke,
  pairing.pairingInvite,
  gatewaySetup,
  send,
  webhook.webhookList,
  webhook.webhookAdd,
  webhook.webhookTest,
  webhook.webhookRemove,
  cron.cronList,
  cron.cronAdd,
  cron.cronEdit,
  cron.cronPause,
  cron.cronResume,
  cronRuns.cronRun,
  cron.cronRemove,
  cronRuns.cronHistory,
  cronRuns.cronStatus,
  cronRuns.cronRunDue,
  hooks.hooksList,
  hooks.hooksTrust,
  hooks.hooksRevoke,
  hooks.hooksTest,
  hooks.hooksDoctor,
  plugins.pluginsChoose,
  plugins.pluginsList,
  plugins.pluginsEnable,
  plugins.pluginsDisable,
  plugins.pluginsInfo,
  pluginFolders.pluginsInstall,
  pluginFolders.pluginsUpdate,
  pluginFolders.pluginsRemove,
  pluginFolders.pluginsNew,
  pluginFolders.pluginsDoctor,
  gateway.gatewayRun,
  gateway.gatewayStart,
  gateway.gatewayStop,
  gateway.gatewayRestart,
  gateway.gatewayStatus,
  gateway.gatewayLogs,
  gateway.gatewayInstall,
  yolo,
  tools.toolsList,
  tools.toolsEnable,
  tools.toolsDisable,
  tools.toolsetsList,
  reloadMcp,
  diff,
  processes.processesList,
  processes.processesShow,
  processes.processesKeep,
  processes.processesKill,
  checkpoints.checkpointsList,
  checkpoints.checkpointsShow,
  checkpoints.checkpointsDiff,
  checkpoints.checkpointsRestore,
  checkpoints.checkpointsPrune,
  checkpoints.checkpointsClear,
  checkpoints.checkpointsStatus,
  trash.trashList,
  trash.trashRestore,
  trash.trashEmpty,
  conversation.newSession,
  screen.clear,
  conversation.resumeSession,
  conversation.branchSession,
  undo,
  retry,
  conversation.stopTurn,
  conversation.steerTurn,
  conversation.queueMessage,
  aside.btw,
  aside.bg,
  aside.init,
  conversationLog.history,
  screen.compose,
  screen.copy,
  screen.paste,
  screen.image,
  conversationLog.saveSession,
  conversation.switchModel,
  personality,
  conversation.sessionStatus,
  contextUse,
  aside.agents,
  rollback.rollback,
  rollback.rollbackDiff,
  rollback.rollbackList,
  display.verbose,
  display.busy,
  display.statusBar,
  display.timestamps,
  display.reasoning,
  display.skin,
  screen.redraw,
  help,
  completion,
  programInfo.version,
  programInfo.whoami,
  programInfo.debug,
  conversation.quit,
];

/** The first words several of them share. */
const GROUPS: readonly CommandGroup[] = [
  {
    name: 'sessions',
    summary: 'List, search and manage sessions',
    examples: ['hermes sessions list', 'hermes sessions search "release notes"'],
  },
  {
    name: 'env',
    summary: 'Measure models by tasks, and make training data of their attempts',
    examples: ['hermes env list', 'hermes env evaluate terminal-test'],
  },
  {
    name: 'batch',
    summary: 'Make conversations of prompts, and prepare them for training',
    examples: ['hermes batch run prompts.jsonl', 'hermes batch stats hermes-runs/prompts/trajectories.jsonl'],
  },
  {
    name: 'memory',
    summary: 'Manage what the agent remembers between sessions',
    examples: ['hermes memory list', 'hermes memory add user "Prefers short answers"'],
  },
  {
    name: 'skills',
    summary: 'Manage skills: procedures the agent can load',
    examples: ['hermes skills list', 'hermes chat -q "/systematic-debugging why does the build fail?"'],
  },
  {
    name: 'mcp',
    summary: 'Manage MCP servers: programs whose tools the agent can use; serve conversations to others',
    examples: ['hermes mcp list', 'hermes mcp add time --command "uvx mcp-server-time"'],
  },
  {
    name: 'config',
    summary: 'Read and change settings',
    examples: ['hermes config get', 'hermes config set agent.max_turns 40'],
  },
  {
    name: 'profile',
    summary: 'Manage profiles: homes with settings, keys, memory and sessions of their own',
    examples: ['hermes profile create work --clone', 'hermes -p work'],
  },
  {
    name: 'approvals',
    summary: 'Answer questions that were left unanswered',
    examples: ['hermes approvals list', 'hermes approvals allow 3f2a'],
  },
  {
    name: 'pairing',
    summary: 'Decide who may talk to the agent in chats',
    examples: ['hermes pairing list', 'hermes pairing approve telegram ABCD2345'],
  },
  {
    name: 'gateway',
    summary: 'Run the agent in chats: Telegram, Discord, Slack, email',
    examples: ['hermes gateway setup', 'hermes gateway start', 'hermes gateway status'],
  },
  {
    name: 'webhook',
    summary: 'Start the agent by signed events of other programs, and send results to them',
    examples: [
      'hermes webhook list',
      'hermes webhook add github --scheme github --deliver telegram --prompt "Review {pull_request.title}"',
    ],
  },
  {
    name: 'cron',
    summary: 'Manage scheduled jobs: work the agent does at a time',
    examples: ['hermes cron add "weekdays at 9am" "Summarize the news"', 'hermes cron list', 'hermes cron status'],
  },
  {
    name: 'hooks',
    summary: 'Decide which hooks run: programs that are told what happens',
    examples: ['hermes hooks list', 'hermes hooks trust notify'],
  },
  { name: 'tools', summary: 'List and switch the tools of the agent', examples: ['hermes tools list'] },
  {
    name: 'processes',
    summary: 'Manage background processes that sessions started',
    examples: ['hermes processes list', 'hermes processes kill proc_3f2a'],
  },
  {
    name: 'checkpoints',
    summary: 'Restore files to how they were before the agent changed them',
    examples: ['hermes checkpoints list', 'hermes chat --continue -q "/rollback 1"'],
  },
  { name: 'trash', summary: 'Restore files the agent deleted', examples: ['hermes trash list'] },
];

/** The commands we bring along, and what somebody adds to them. */
export const createBuiltinRegistry = (more: Iterable<AnyCommand> = []): CommandRegistry =>
  createCommandRegistry([...COMMANDS, ...more], GROUPS);
