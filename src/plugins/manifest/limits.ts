/** What a manifest may hold. Everything beyond is an error that says so: nothing is cut silently. */
export const MANIFEST_LIMITS = {
  bytes: 256_000,
  depth: 24,
  /** Values of all kinds together. */
  nodes: 20_000,
  tools: 64,
  commands: 64,
  slots: 8,
  hosts: 64,
  secrets: 32,
  names: 16,
  settings: 64,
  parameters: 16,
  line: 300,
  description: 4_000,
  schemaBytes: 32_000,
} as const;
