/** Runs bodies of rows without any wall, one after the other, for `run-control.ts`. */
process.on('message', ({ file, dataFolder, secrets }: { file: string; dataFolder: string; secrets: Record<string, string> }) => {
  const host = { name: 'control', dataFolder, secrets, notice: () => {} };
  const context = { signal: new AbortController().signal, sessionId: 's', callId: 'c', report: () => {} };
  void import(file)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as toModule writes it
    .then((loaded: { readonly default: unknown }) =>
      (loaded.default as (...args: readonly object[]) => Promise<unknown>)(host, {}, context),
    )
    .then(
      (answer) => process.send?.(String(answer)),
      (error: unknown) => process.send?.(`threw ${String(error)}`),
    );
});
