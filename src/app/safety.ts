import { join } from 'node:path';
import type { Home } from '../base/home.ts';
import { sha256 } from '../base/sha256.ts';
import type { AdmitText, ScanText } from '../contracts/scan.ts';
import type { AnyTool } from '../contracts/tool.ts';

/** The scanner and what the owner allowed. Loaded when a text wants to reach the prompt: most runs of a session never need it. */
export interface Safety {
  scan(): Promise<ScanText>;
  admit(): Promise<AdmitText>;
}
export interface LoadedSafety {
  readonly scan: ScanText;
  readonly admit: AdmitText;
}

export const allowListPath = (home: Home): string => join(home.root, 'allowed-files.json');

export function openSafety(home: Home): Safety {
  let loaded: Promise<LoadedSafety> | undefined;
  const ready = () => (loaded ??= load(home));
  return { scan: async () => (await ready()).scan, admit: async () => (await ready()).admit };
}

async function load(home: Home): Promise<LoadedSafety> {
  const [{ scanText }, { admission }, { allowedHashes }] = await Promise.all([
    import('../parts/safety/scan/scan.ts'),
    import('../parts/safety/scan/admission.ts'),
    import('../parts/safety/scan/allow-list.ts'),
  ]);
  const allowed = allowedHashes(allowListPath(home));
  return { scan: scanText, admit: admission({ allowed: (hash) => allowed.has(hash), hash: sha256 }) };
}

const tooEarly = (): never => {
  throw new Error('the scanner is asked before it is loaded');
};

/** A tool that scans what it is given: its definition stands at once, the scanner comes with the first call. */
export function scanning(safety: Safety, make: (loaded: LoadedSafety) => AnyTool): AnyTool {
  let made: AnyTool | undefined;
  return {
    ...make({ scan: tooEarly, admit: tooEarly }),
    forget: (sessionId) => made?.forget?.(sessionId),
    run: async (input, context) => {
      made ??= make({ scan: await safety.scan(), admit: await safety.admit() });
      return made.run(input, context);
    },
  };
}
