/** From here on nothing this process writes for anybody to read holds a known secret, its last words included. */
export function guardProcess(process: NodeJS.Process, redact: (text: string) => string): void {
  for (const stream of [process.stdout, process.stderr]) guardStream(stream, redact);
  process.on('uncaughtException', (error: unknown) => {
    const { inspect } = process.getBuiltinModule('node:util');
    process.stderr.write(`hermes: This is a bug in hermes: ${inspect(error)}\n`);
    process.exit(1);
  });
}

/** How often something was caught here that should have been redacted before. Where a screen is drawn this breaks its lines: never. */
export const countCaught = (): number => caught;
let caught = 0;

/** Writes what a person must visit or type exactly as it is: with a placeholder in it, a sign-in could not be finished. */
export const writeVerbatim = (stream: NodeJS.WriteStream, text: string): void =>
  void (verbatim.get(stream) ?? stream.write.bind(stream))(text);
const verbatim = new WeakMap<NodeJS.WriteStream, (text: string) => boolean>();

/** At the stream itself: whoever writes, by whatever way, writes through this. */
function guardStream(stream: NodeJS.WriteStream, redact: (text: string) => string): void {
  const write = stream.write.bind(stream);
  verbatim.set(stream, (text) => write(text));
  const guarded = (chunk: string | Uint8Array, ...rest: readonly unknown[]): unknown => {
    const clean = typeof chunk === 'string' ? redact(chunk) : chunk;
    if (clean !== chunk) caught += 1;
    return Reflect.apply(write, stream, [clean, ...rest]);
  };
  Object.defineProperty(stream, 'write', { value: guarded, configurable: true, writable: true });
}
