/**
 * What the library uses and Node 22 does not have. The build puts these in place of the names; where the platform has its own,
 * that is taken, and nothing of the program that uses the library is changed.
 */
type Closer = () => unknown;

/** The part of both stacks that the library uses. Whatever closing throws first is thrown when all is closed. */
class Stack implements AsyncDisposable {
  #closers: Closer[] = [];
  use<Value extends AsyncDisposable | Disposable | null | undefined>(value: Value): Value {
    if (value != null) this.#closers.push(() => (Symbol.asyncDispose in value ? value[Symbol.asyncDispose]() : value[Symbol.dispose]()));
    return value;
  }
  adopt<Value>(value: Value, close: (value: Value) => unknown): Value {
    this.#closers.push(() => close(value));
    return value;
  }
  defer(close: Closer): void {
    this.#closers.push(close);
  }
  move(): Stack {
    const moved = new Stack();
    [moved.#closers, this.#closers] = [this.#closers, []];
    return moved;
  }
  async disposeAsync(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop())
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    if (failures.length > 0) throw failures[0];
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }
}

const native: { AsyncDisposableStack?: unknown } = globalThis;
const OwnOrNative = (native.AsyncDisposableStack ?? Stack) as typeof Stack;
export { OwnOrNative as AsyncDisposableStack };

/** Calls at once; what it throws and what it rejects with come the same way. */
export const tryPromise = async <Args extends readonly unknown[], Value>(
  work: (...args: Args) => Value,
  ...args: Args
): Promise<Awaited<Value>> => await work(...args);

/** Every character that may mean something, as its code: what is left is letters, digits and the underscore. */
export const escapeRegExp = (text: string): string =>
  text.replaceAll(/[^\w]|^[0-9A-Za-z]/gu, (character) => [...unitsOf(character)].map((unit) => `\\u${unit}`).join(''));
function* unitsOf(character: string): Generator<string> {
  for (let index = 0; index < character.length; index += 1) yield character.charCodeAt(index).toString(16).padStart(4, '0');
}
