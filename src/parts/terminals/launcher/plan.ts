import type { SeccompMachine } from './bpf.ts';
import { createSeccompFilter, type SeccompOptions } from './seccomp.ts';
import { encodeSupervised } from './calls.ts';

const MAGIC = 0x31464c48;
const FLAGS = { dropRights: 1, supervise: 2, network: 4, signals: 8 } as const;

/** How the launcher starts one command. */
export interface LaunchPlan extends Pick<SeccompOptions, 'forks' | 'hoards'> {
  readonly machine: SeccompMachine;
  /** Rights of root are given up. */
  readonly dropRights: boolean;
  /** Commands may make user namespaces, in which they have rights of their own. */
  readonly namespaces: boolean;
  readonly floor?: FloorPlan;
}
export interface FloorPlan {
  readonly level: number;
  readonly network: boolean;
  /** Folders whose files may be changed, and those whose sockets may be reached besides. */
  readonly writable: readonly string[];
  readonly sockets: readonly string[];
  /** Ports of ours as commands name them, and where they are. */
  readonly ports: ReadonlyMap<number, number>;
  /** Where Hermes and the holder of the ruleset listen. */
  readonly control: string;
  readonly ruleset: string;
}

/** A plan as `launcher run` reads it: the layout of `struct plan`. */
export function encodeLaunchPlan({ machine, dropRights, floor, ...filtered }: LaunchPlan): Buffer {
  const filter = createSeccompFilter(machine, { ...filtered, ...(floor !== undefined && { floor }) });
  const calls = floor === undefined ? Buffer.alloc(0) : encodeSupervised(machine, floor.level);
  const ports = Buffer.concat([...(floor?.ports ?? [])].map(([asked, real]) => Buffer.from(Uint16Array.of(asked, real).buffer)));
  const places = Buffer.concat([
    ...(floor?.writable ?? []).map((path) => text(`w${path}`)),
    ...(floor?.sockets ?? []).map((path) => text(`s${path}`)),
  ]);
  const [control, ruleset] = [text(floor?.control ?? ''), text(floor?.ruleset ?? '')];
  const flags =
    (dropRights ? FLAGS.dropRights : 0) |
    (floor === undefined ? 0 : FLAGS.supervise | (floor.network ? FLAGS.network : 0) | (floor.level >= 6 ? FLAGS.signals : 0));
  const head = Uint32Array.of(
    MAGIC,
    flags,
    floor?.level ?? 0,
    calls.length / 12,
    ports.length / 4,
    filter.length,
    places.length,
    control.length,
    ruleset.length,
    0,
  );
  return Buffer.concat([Buffer.from(head.buffer), calls, ports, filter, places, control, ruleset]);
}
const text = (words: string): Buffer => Buffer.from(`${words}\0`);

/** One rule of Landlock: everything below a path. */
export interface FloorRule {
  readonly path: string;
  readonly access: number;
}
/** Rules as `launcher hold` reads them. `network`: ports are Landlock's business as well. */
export const encodeRules = (
  rules: readonly FloorRule[],
  { level, network }: { readonly level: number; readonly network: boolean },
): Buffer =>
  Buffer.concat([
    Buffer.from(Uint32Array.of(level, network ? 0 : 1).buffer),
    ...rules.map(({ path, access }) => {
      const name = text(path);
      const head = Buffer.alloc(6);
      head.writeUInt32LE(access, 0);
      head.writeUInt16LE(name.length, 4);
      return Buffer.concat([head, name]);
    }),
  ]);
