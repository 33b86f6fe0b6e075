/** A place in a line that only moves forward: every character is looked at about once, so reading stays linear. */
export class LineCursor {
  at = 0;
  readonly line: string;

  constructor(line: string) {
    this.line = line;
  }

  get over(): boolean {
    return this.at >= this.line.length;
  }
  get char(): string {
    return this.line[this.at] ?? '';
  }
  ahead(text: string): boolean {
    return this.line.startsWith(text, this.at);
  }

  /** Patterns are sticky (`y`): they hold here or not at all, and never search the rest of the line. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.line);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }
  take(pattern: RegExp): string {
    return this.match(pattern)?.[0] ?? '';
  }
  /** Always true, so that it can end a function that tells whether reading may go on. */
  skip(pattern: RegExp): true {
    this.match(pattern);
    return true;
  }
}
