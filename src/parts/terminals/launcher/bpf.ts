/** A system filters can be assembled for. */
export type SeccompMachine = 'x64' | 'arm64';
/** Whether there is a filter for the machine we run on. */
export const isSeccompMachine = (arch: string): arch is SeccompMachine => arch === 'x64' || arch === 'arm64';

/** The number of a system call on each machine; absent where it has none. */
export type CallNumbers = readonly [x64: number | undefined, arm64: number | undefined];

/** Where the kernel puts what is asked: the number of the call, the machine, and the lower half of an argument. */
export const AT = { call: 0, machine: 4, argument: (index: number): number => 16 + 8 * index } as const;
export type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, value: number];
export const load = (offset: number): Instruction => [0x20, 0, 0, offset];
export const mask = (bits: number): Instruction => [0x54, 0, 0, bits];
export const ifEqual = (value: number, yes: number, no: number): Instruction => [0x15, yes, no, value];
export const ifAtLeast = (value: number, yes: number, no: number): Instruction => [0x35, yes, no, value];
export const ifAnyBit = (bits: number, yes: number, no: number): Instruction => [0x45, yes, no, bits];
export const ALLOW: Instruction = [0x06, 0, 0, 0x7fff_0000];
/** The launcher decides. */
export const SUPERVISE: Instruction = [0x06, 0, 0, 0x7fc0_0000];
export const answer = (errno: number): Instruction => [0x06, 0, 0, 0x0005_0000 | errno];

/** Eight bytes an instruction, as the kernel reads them. */
export function encodeProgram(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, yes, no, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(yes, index * 8 + 2);
    bytes.writeUInt8(no, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return bytes;
}
