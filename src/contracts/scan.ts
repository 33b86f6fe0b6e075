/** What a text is that wants to reach the prompt. */
export type TextKind = 'context' | 'hint' | 'soul' | 'memory' | 'skill';

/** One sign that a text tries to instruct the model behind its owner's back. */
export interface ThreatFinding {
  /** The class of the threat: `prompt_injection`, `exfiltration`, `invisible_unicode` … */
  readonly threat: string;
  /** Severe findings block even the owner's own files. */
  readonly severe: boolean;
  /** From 1. */
  readonly line: number;
  /** What was found, on one line, with invisible characters spelt out (`U+200B`). At most 80 characters. */
  readonly excerpt: string;
}

/** Pure and linear in the length of the text. */
export type ScanText = (text: string, kind: TextKind) => readonly ThreatFinding[];

/** Whose text it is decides what a finding means: a project's file is blocked, the owner's own is told about and stays. */
export interface TextOrigin {
  readonly kind: TextKind;
  /** How people call it: `AGENTS.md`, `MEMORY.md entry 3`. */
  readonly name: string;
  readonly owned: boolean;
  /** The file its owner can allow as it stands; absent for a text that is only a part of one. */
  readonly path?: string;
}

/** Decides what may reach the model. Scans the text before it is cut to size. */
export type AdmitText = (text: string, origin: TextOrigin) => TextAdmission;

export type TextAdmission =
  | { readonly allow: true; /** For the owner; empty for a clean text. */ readonly notices: readonly string[] }
  | {
      readonly allow: false;
      /** For the owner: what was found where, and how to allow it. */
      readonly notice: string;
      /** For the model, in place of the text: names the file and the finding, repeats none of it. */
      readonly marker: string;
      readonly findings: readonly ThreatFinding[];
    };
