import type { AnyCommand, CommandGroup } from '../contracts/command.ts';
import { acp } from './acp.ts';
import * as approvals from './approvals.ts';
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
import * as checkpoints from './checkpoints.ts';
import * as config from './config.ts';
import * as conversation from './conversation.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import * as gateway from './gateway.ts';
import { gatewaySetup } from './gateway-setup.ts';
import { help } from './help.ts';
import * as hooks from './hooks.ts';
import { insights } from './insights.ts';
import * as mcp from './mcp.ts';
import { mcpServe } from './mcp-serve.ts';
import * as memory from './memory.ts';
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
import { usage } from './usage.ts';

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
  migrate,
  approvals.approvalsList,
  approvals.approvalsShow,
  approvals.approvalsAllow,
  approvals.approvalsDeny,
  approvals.approvalsMode,
  pairing.pairingList,
  pairing.pairingApprove,
  pairing.pairingRevoke,
  pairing.pairingInvite,
  gatewaySetup,
  send,
  hooks.hooksList,
  hooks.hooksTrust,
  hooks.hooksRevoke,
  hooks.hooksTest,
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
    summary: 'Run the agent in chats: Telegram, Discord, Slack',
    examples: ['hermes gateway setup', 'hermes gateway start', 'hermes gateway status'],
  },
  {
    name: 'hooks',
    summary: 'Decide which hooks run: programs the gateway tells what happens',
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
