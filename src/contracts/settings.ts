/**
 * Settings as data: each part exports a slice (a table from dotted key to field), `app/config.ts` joins them into the one
 * table of defaults. Schema, reference page and validation are derived.
 */
export type SettingField = FieldFacts &
  (
    | { readonly kind: 'integer' | 'number'; readonly default: number; readonly min?: number; readonly max?: number }
    | { readonly kind: 'boolean'; readonly default: boolean }
    | { readonly kind: 'string'; readonly default: string }
    /** `unsupported`: words a file shared with another version may say; the default is used, with a warning. Any other word stops. */
    | { readonly kind: 'choice'; readonly default: string; readonly choices: readonly string[]; readonly unsupported?: readonly string[] }
    | { readonly kind: 'list'; readonly default: readonly string[] }
    /** Structured values the owning part reads itself (fallback chains, named providers). */
    | { readonly kind: 'table'; readonly default: readonly unknown[] | Readonly<Record<string, unknown>> }
  );
interface FieldFacts {
  readonly describe: string;
  /** An environment variable that names this setting and wins over the file. */
  readonly env?: string;
  /**
   * The owner's alone to change: it names code, a program, an address or a folder, puts words into the prompt, or is a rule or a
   * limit for the agent. Neither a command of an agent nor anybody else in a chat may set it.
   */
  readonly owner?: true;
  /** The option of `hermes chat` that wins over both. */
  readonly flag?: string;
}
export type SettingsSlice = Readonly<Record<string, SettingField>>;
/** Values by key, each as its field reads it, for whoever knows only some of the keys. */
export type SettingValues = Readonly<Record<string, unknown>>;

type Widen<Value> = Value extends number ? number : Value extends boolean ? boolean : Value extends string ? string : Value;
/** The values of a slice. A choice keeps its words as a union. */
export type SliceValues<S extends SettingsSlice> = {
  readonly [Key in keyof S]: S[Key] extends { readonly kind: 'choice'; readonly choices: readonly (infer Choice)[] }
    ? Choice
    : S[Key] extends { readonly kind: 'list' }
      ? readonly string[]
      : S[Key] extends { readonly kind: 'table'; readonly default: readonly unknown[] }
        ? readonly unknown[]
        : S[Key] extends { readonly kind: 'table' }
          ? Readonly<Record<string, unknown>>
          : Widen<S[Key]['default']>;
};

/** A slice of which every setting is the owner's alone. */
export const ownersAlone = <S extends SettingsSlice>(slice: S): { readonly [Key in keyof S]: S[Key] & { readonly owner: true } } =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- built from the slice's own keys
  Object.fromEntries(Object.entries(slice).map(([key, field]) => [key, { ...field, owner: true }])) as {
    readonly [Key in keyof S]: S[Key] & { readonly owner: true };
  };

/** The defaults of a slice, for tests and for parts used on their own. */
export const collectDefaults = <S extends SettingsSlice>(slice: S): SliceValues<S> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- built from the slice's own keys
  Object.fromEntries(Object.entries(slice).map(([key, field]) => [key, field.default])) as SliceValues<S>;

/** Where a value comes from. */
export type ValueSource = 'default' | 'file' | 'env' | 'flag';
/** The settings in force. */
export interface ConfigOf<Settings> {
  readonly settings: Settings;
  /** Where each value that is not a default came from. */
  readonly sources: Readonly<Record<string, ValueSource>>;
}
