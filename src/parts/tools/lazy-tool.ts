import type { AnyTool } from '../../contracts/tool.ts';

/** A tool whose definition stands at once, and what it needs to run comes with its first call. */
export function later<Needs>(needs: () => Promise<Needs>, make: (needs: Needs) => AnyTool): AnyTool {
  let made: AnyTool | undefined;
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it refuses whatever is asked of it
    ...make(TOO_EARLY as Needs),
    forget: (sessionId) => made?.forget?.(sessionId),
    run: async (input, context) => {
      made ??= make(await needs());
      return made.run(input, context);
    },
  };
}

/** Stands in while a tool is only described. Whoever uses it then is told, not served. */
const TOO_EARLY: unknown = new Proxy({}, { get: (_target, name) => refusing(name) });

const refusing = (name: string | symbol) => () => {
  throw new Error(`${String(name)} is asked for before it is loaded`);
};
