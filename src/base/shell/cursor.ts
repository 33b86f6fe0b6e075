import type { HereDocument } from './ast.ts';

/** Thrown while a line is read and caught where reading began: the line cannot be read. */
export class UnreadableLine extends Error {}

/** Counts what reading costs, so that it stays linear whatever the line holds. */
export class StepMeter {
  spent = 0;
  most: number;
  /** The deepest nesting that was met. */
  deepest = 0;
  constructor(most: number) {
    this.most = most;
  }
  /** More to read is more to spend. */
  allow(steps: number): void {
    this.most += steps;
  }
  pay(steps: number): void {
    this.spent += steps;
    if (this.spent > this.most) throw new UnreadableLine('too much to read');
  }
}

/** Deeper than anybody nests; without a limit a hostile line would overflow the stack. */
export const MAX_DEPTH = 60;

/** A place in a line that only moves forward, except where two readings of one mark have to be tried. */
export class LineCursor {
  at = 0;
  depth = 0;
  /** Where the outermost command being read and its last word began. */
  commandAt = 0;
  wordAt = 0;
  readonly line: string;
  readonly meter: StepMeter;
  /** Here-documents announced on this line; their texts begin on the next. */
  waiting: HereDocument[] = [];

  constructor(line: string, meter: StepMeter, depth = 0) {
    this.line = line;
    this.meter = meter;
    this.depth = depth;
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
  /** Takes the text when it stands here. */
  skip(text: string): boolean {
    if (!this.ahead(text)) return false;
    this.at += text.length;
    this.meter.pay(1);
    return true;
  }
  /** Patterns are sticky (`y`): they hold here or not at all, and never search the rest of the line. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.line);
    this.meter.pay(1 + (found?.[0].length ?? 0));
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }
  peek(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    return pattern.exec(this.line)?.[0];
  }
  take(pattern: RegExp): string {
    return this.match(pattern)?.[0] ?? '';
  }
  expect(text: string): void {
    if (!this.skip(text)) throw new UnreadableLine(`no ${text}`);
  }
  deeper<Value>(read: () => Value): Value {
    if (++this.depth > MAX_DEPTH) throw new UnreadableLine('nested too deeply');
    this.meter.deepest = Math.max(this.meter.deepest, this.depth);
    const value = read();
    this.depth--;
    return value;
  }
}
