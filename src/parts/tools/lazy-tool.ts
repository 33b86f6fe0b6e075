import type { AnyTool } from '../../contracts/tool.ts';

/** A tool whose definition stands at once, and what it needs to run comes with its first call. */
export function lazyTool<Needs>(needs: () => Promise<Needs>, make: (needs: Needs) => AnyTool): AnyTool {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it refuses whatever is asked of it
  const described = make(TOO_EARLY as Needs);
  let [made, making]: [AnyTool | undefined, Promise<AnyTool> | undefined] = [undefined, undefined];
  const whole = (): Promise<AnyTool> =>
    (making ??= needs().then(
      (given) => (made = make(given)),
      (error: unknown) => {
        // Trouble of this moment is not kept.
        making = undefined;
        throw error;
      },
    ));
  return {
    ...described,
    forget: (sessionId) => made?.forget?.(sessionId),
    ...(described.asks !== undefined && { asks: async (input, context) => (await whole()).asks?.(input, context) }),
    run: async (input, context) => (await whole()).run(input, context),
  };
}

/** Stands in while a tool is only described. Whoever uses it then is told, not served. */
const TOO_EARLY: unknown = new Proxy({}, { get: (_target, name) => refusing(name) });

const refusing = (name: string | symbol) => () => {
  throw new Error(`${String(name)} is asked for before it is loaded`);
};
