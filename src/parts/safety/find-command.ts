/** Where `find` looks: the words between its first options and its expression. */
export function findRoots(args: readonly string[]): readonly string[] {
  const start = args.findIndex((word) => !/^-(?:[HLP]|O\d?)$/.test(word));
  const rest = start < 0 ? [] : args.slice(start);
  const end = rest.findIndex((word) => /^[-(!]/.test(word));
  const roots = end < 0 ? rest : rest.slice(0, end);
  return roots.length === 0 ? ['.'] : roots;
}

/** The commands `find` runs for what it finds. */
export function findCommands(args: readonly string[]): readonly (readonly string[])[] {
  const commands: string[][] = [];
  let open: string[] | undefined;
  for (const word of args) {
    if (/^-(?:exec|execdir|ok|okdir)$/.test(word)) commands.push((open = []));
    else if (word === ';' || word === '+') open = undefined;
    else open?.push(word);
  }
  return commands;
}
