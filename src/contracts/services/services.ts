import type { Env } from '../../base/env.ts';
import type { TellHooks } from '../hooks.ts';
import type { SessionHandle } from '../host.ts';
import type { RegistrySnapshot } from '../registries.ts';
import type { RepairReport, Session, SessionStore } from '../session-store.ts';
import type { ModelService } from './models.ts';
import type { BackgroundService, ReloadService } from './background.ts';
import type { BackupService } from './backups.ts';
import type { BatchService } from './batches.ts';
import type { EnvironmentService } from './environments.ts';
import type { ConfigurationService } from './configuration.ts';
import type { GatewayService } from './gateway.ts';
import type { AttributionService, CheckupService, ReplayService } from './insight.ts';
import type { HookService } from './hooks.ts';
import type { JobService } from './jobs.ts';
import type { MemoryProviderService } from './memory-provider.ts';
import type { MigrationService } from './migration.ts';
import type { ApprovalService, MemoryService, PromptService } from './owner.ts';
import type { PairingService } from './pairing.ts';
import type { PersonalityService } from './personality.ts';
import type { PluginFolderService } from './plugin-folders.ts';
import type { PluginService } from './plugins.ts';
import type { ProfileService } from './profiles.ts';
import type { ProviderHomeService } from './provider-homes.ts';
import type { ProcessService } from './processes.ts';
import type { SendService } from './sends.ts';
import type { SkillService } from './skills.ts';
import type { McpService, ToolService } from './tools.ts';
import type { CheckpointService, TrashService } from './undo.ts';
import type { UpdateService } from './updates.ts';
import type { WebhookService } from './webhooks.ts';
import type { TrustService } from './trust.ts';

/**
 * What commands may ask for, by name. Each is a small interface over what the parts do; `app` implements it by joining them,
 * and opens it with the first command that needs it.
 */
export interface Services {
  readonly store: SessionStore;
  readonly storeCare: StoreRepairService;
  readonly openSession: OpenStoredSession;
  readonly attribution: AttributionService;
  readonly replay: ReplayService;
  readonly checkup: CheckupService;
  readonly configuration: ConfigurationService;
  readonly models: ModelService;
  readonly memory: MemoryService;
  readonly memoryProvider: MemoryProviderService;
  readonly migration: MigrationService;
  readonly skills: SkillService;
  readonly tools: ToolService;
  readonly mcp: McpService;
  readonly approvals: ApprovalService;
  readonly pairing: PairingService;
  readonly gateway: GatewayService;
  readonly hooks: HookService;
  readonly plugins: PluginService;
  readonly pluginFolders: PluginFolderService;
  readonly sends: SendService;
  readonly webhooks: WebhookService;
  readonly jobs: JobService;
  readonly processes: ProcessService;
  readonly checkpoints: CheckpointService;
  readonly trash: TrashService;
  readonly trust: TrustService;
  readonly prompt: PromptService;
  readonly program: ProgramInfo;
  readonly profiles: ProfileService;
  readonly providerHomes: ProviderHomeService;
  readonly backups: BackupService;
  readonly environments: EnvironmentService;
  readonly batches: BatchService;
  readonly updates: UpdateService;
  readonly personalities: PersonalityService;
  /** Only where a host is open that stays. */
  readonly background: BackgroundService;
  readonly reload: ReloadService;
}
export type ServiceName = keyof Services;
/** How each service is opened; asked once, and then the same is given to all. */
export type ServiceOpeners = { readonly [Name in Exclude<ServiceName, HostedService>]: () => Promise<Services[Name]> } & {
  readonly [Name in HostedService]?: () => Promise<Services[Name]>;
};
/** Services of a host that stays open: a command line has none of them. */
type HostedService = 'background' | 'reload';

/** What this program is. */
export interface ProgramInfo {
  readonly version: string;
}
/** Works on a store that cannot be opened any more. */
export interface StoreRepairService {
  repair(): Promise<RepairReport>;
}
/** Opens a stored session; in a session it is that session itself when it is the one that is meant. */
export type OpenStoredSession = (
  session: Session,
) => Promise<
  Pick<
    SessionHandle,
    | 'compact'
    | 'rewind'
    | 'branch'
    | 'setModel'
    | 'end'
    | 'message'
    | 'post'
    | 'runtime'
    | 'measure'
    | 'aside'
    | 'shell'
    | 'allowAll'
    | 'setAllowAll'
  >
>;
/** Whose services they are, and where what the owner should know goes. */
export interface ServiceOptions {
  readonly processEnv: Env;
  readonly notice: (words: string) => void;
  /** The tools, settings, providers … there are. */
  readonly registered: RegistrySnapshot;
  /** Tells those who look on what a command did. */
  readonly tellHooks?: TellHooks;
}
