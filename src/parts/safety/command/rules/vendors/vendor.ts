/**
 * A tool with verbs: the ways of using it that only look, or that are everyday work. What is not among them is asked about.
 * Ways are separated by blanks. `config/view|get` is a verb with verbs of its own, `*` stands for any letters, `**` for any nouns and `...` for whatever follows.
 */
export interface VendorWays {
  readonly fine: string;
  /** Uses of those that are none of them: verbs, with the flags that make them sharp at the end (`compose/down/-v|--volumes`). */
  readonly not?: string;
  /** Flags that make a fine verb a sharp one. */
  readonly sharp?: string;
  /** Flags before the verb that take the next word. */
  readonly values?: string;
  /** Flags that say it only looks. */
  readonly looks?: string;
  /** Called without a verb it does more than show how it is called. */
  readonly bare?: 'sharp';
}
/** By names; several of them when tools share their verbs. */
export type Vendors = Readonly<Record<string, VendorWays>>;

/** Verbs that only look, in whatever tool. */
export const LOOKING = `
  list ls lists show describe get get-* list-* describe-* show-* info status version versions help view inspect search find history diff
  validate check lint logs log tail top stats whoami wait completion completions docs doctor explain plan preview exists health ping print
  test verify dry-run open examples *:list *:info *:show *:logs *:status *:get
`
  .trim()
  .split(/\s+/)
  .join('|');
