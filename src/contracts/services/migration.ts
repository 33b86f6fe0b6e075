/** Programs whose homes can be taken over. */
export const MIGRATION_SOURCES = ['hermes', 'openclaw'] as const;
export type MigrationSource = (typeof MIGRATION_SOURCES)[number];

/** What a home holds, in the order in which it is taken over. */
export const MIGRATION_KINDS = ['secrets', 'config', 'soul', 'memories', 'skills', 'cron', 'files', 'sessions'] as const;
export type MigrationKind = (typeof MIGRATION_KINDS)[number];

/**
 * Takes over what another program left in its home.
 *
 * Promises it keeps:
 * - the other home is only read: not a byte, a time or a name in it changes, and nothing is ever deleted anywhere;
 * - looking at what there is to take changes nothing here either;
 * - what is here already stays: where both homes say something different, ours wins and the difference is told;
 * - what a run changes in our home is saved first, in a folder the result names;
 * - it can be run again at any time, also after a run that was killed: what was taken is recognized and not taken twice.
 */
export interface MigrationService {
  /** The named home, or those at the usual places. A home that is named and is none throws a `UsageError`. */
  find(request: MigrationRequest): Promise<readonly FoundHome[]>;
  /** Looks through a home. */
  open(home: FoundHome, kinds: readonly MigrationKind[]): Promise<MigrationPlan>;
}
export interface MigrationRequest {
  readonly source?: MigrationSource;
  /** The folder of the other program's home. */
  readonly from?: string;
}
export interface FoundHome {
  readonly source: MigrationSource;
  readonly folder: string;
  /** It is our home as well: both programs share the folder, and only what they keep apart has to be taken. */
  readonly shared: boolean;
}

/** What would be done with one home. */
export interface MigrationPlan extends AsyncDisposable {
  readonly home: FoundHome;
  /** The home everything goes into. */
  readonly into: string;
  readonly items: readonly MigrationItem[];
  /** Carries it out, item by item. */
  run(report: (item: MigrationItem) => void): Promise<MigrationResult>;
}
/** One thing of the other home. */
export interface MigrationItem {
  readonly kind: MigrationKind;
  readonly name: string;
  /** `take`: it will be taken. `taken`: it was. `present`: it is here already. `left`: it is not taken. */
  readonly state: 'take' | 'taken' | 'present' | 'left';
  /** Why it is not taken, or how it is. */
  readonly why?: string;
  /** What the scan found in it: signs that a text tries to instruct the model. */
  readonly findings?: readonly string[];
}
export interface MigrationResult {
  readonly items: readonly MigrationItem[];
  /** What was here before; absent when nothing that was here is changed. */
  readonly backup?: string;
  /** Where the report is stored. */
  readonly report: string;
}
