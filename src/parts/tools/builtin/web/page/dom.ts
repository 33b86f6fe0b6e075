/** As much of a parsed page as is used here. The packages type themselves by a browser's library, which this program has not. */
export interface DomNode {
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly parentNode: DomNode | null;
  readonly childNodes: ArrayLike<DomNode>;
}
export interface DomElement extends DomNode {
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
}
export interface DomDocument {
  readonly body: DomElement;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
}
export interface Article {
  readonly title: string | null | undefined;
  readonly content: string | null | undefined;
  readonly textContent: string | null | undefined;
}
export interface Turndown {
  escape: (text: string) => string;
  addRule(
    name: string,
    rule: { readonly filter: (node: DomElement) => boolean; readonly replacement: (content: string, node: DomElement) => string },
  ): unknown;
  remove(names: readonly string[]): unknown;
  turndown(node: DomElement): string;
}

export interface Parsers {
  parse(html: string): DomDocument;
  read(page: DomDocument): Article | null;
  turndown(): Turndown;
}

/** Loads the three packages. */
export async function loadParsers(): Promise<Parsers> {
  const [{ parseHTML }, { Readability }, { default: TurndownService }] = await Promise.all([
    import('linkedom'),
    import('@mozilla/readability'),
    import('turndown'),
  ]);
  const options = { headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', hr: '---', emDelimiter: '*' } as const;
  return {
    parse: (html) => parseHTML(html).document,
    // Classes tell the language of code.
    read: (page) => new Readability(page, { keepClasses: true }).parse(),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its nodes are typed by a library that is not there
    turndown: () => new TurndownService(options) as unknown as Turndown,
  };
}
