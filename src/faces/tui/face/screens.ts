import type { MainScreen, TerminalSize } from '../contract.ts';
import { createMainScreen, type MainScreenOptions } from '../screen/main-screen.ts';
import type { AltScreen } from '../screen/alt-screen.ts';

/** The screen in use: the terminal's own scrollback, or the whole screen where the owner likes that better. */
export interface Screens extends MainScreen {
  /** From now on the whole screen is used. */
  useAlternate(): Promise<void>;
  /** Closes it for good, with these lines below everything that was printed. */
  leave(lastLines: readonly string[]): void;
  /** Keys that scroll; on the main screen the terminal itself does that. */
  handleKey(data: string): boolean;
}

export function createScreens(write: (bytes: string) => void, size: () => TerminalSize, options?: MainScreenOptions): Screens {
  const main = createMainScreen(write, size(), options);
  let alternate: AltScreen | undefined;
  const current = (): MainScreen => alternate ?? main;
  return {
    update: (printed, frame) => current().update(printed, frame),
    resize: (next) => {
      const quietMs = main.resize(next);
      return alternate?.resize(next) ?? quietMs;
    },
    repaint: () => current().repaint(),
    close: (more) => current().close(more),
    leave: (lastLines) => {
      alternate?.close();
      // What was said stays with the shell, as it does on the main screen.
      main.update([...(alternate?.printed ?? []), ...lastLines], { lines: [] });
      main.close();
    },
    useAlternate: async () => {
      const { createAltScreen } = await import('../screen/alt-screen.ts');
      main.close();
      alternate = createAltScreen(write, size());
    },
    handleKey: (data) => alternate?.handleKey(data) ?? false,
  };
}
