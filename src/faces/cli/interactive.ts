/** `hermes` alone. The terminal UI needs a terminal; without one there is only the one-shot command. */
export async function runInteractive(): Promise<number> {
  const words =
    process.stdin.isTTY && process.stdout.isTTY
      ? 'The terminal UI is not part of this version yet.'
      : 'The terminal UI needs a terminal, but standard output is not one.';
  process.stderr.write(`hermes: ${words} Ask once with: hermes chat -q "…"   (hermes --help lists every command)\n`);
  return 2;
}
