import type { MarkdownBlock, MarkdownInline, MarkdownItem, MarkdownList, MarkdownTable } from './nodes.ts';

type InlineOf<Type extends MarkdownInline['type']> = Extract<MarkdownInline, { readonly type: Type }>;
type BlockOf<Type extends MarkdownBlock['type']> = Extract<MarkdownBlock, { readonly type: Type }>;

/** What a node stands in. */
export interface MarkdownPlace {
  /** Lists around it. */
  readonly lists: number;
  readonly quotes: number;
}
export interface FoldedItem<Block> {
  readonly item: MarkdownItem;
  /** What stands before it: `1.` in its list, or nothing of the kind. */
  readonly number: number | undefined;
  readonly blocks: readonly Block[];
}
export interface FoldedTable<Inline> {
  readonly head: readonly (readonly Inline[])[];
  readonly rows: readonly (readonly (readonly Inline[])[])[];
}

/** What becomes of each kind of node, given what has become of those within: a codec is such a table. */
export interface MarkdownFold<Inline, Block> {
  readonly text: (text: string) => Inline;
  readonly strong: (children: readonly Inline[]) => Inline;
  readonly emphasis: (children: readonly Inline[]) => Inline;
  readonly strike: (children: readonly Inline[]) => Inline;
  readonly spoiler: (children: readonly Inline[]) => Inline;
  readonly inlineCode: (text: string) => Inline;
  readonly link: (children: readonly Inline[], node: InlineOf<'link'>) => Inline;
  readonly image: (node: InlineOf<'image'>) => Inline;
  readonly break: () => Inline;
  readonly paragraph: (children: readonly Inline[], place: MarkdownPlace) => Block;
  readonly heading: (children: readonly Inline[], node: BlockOf<'heading'>, place: MarkdownPlace) => Block;
  readonly list: (items: readonly FoldedItem<Block>[], node: MarkdownList, place: MarkdownPlace) => Block;
  readonly quote: (blocks: readonly Block[], place: MarkdownPlace) => Block;
  readonly code: (node: BlockOf<'code'>, place: MarkdownPlace) => Block;
  readonly table: (cells: FoldedTable<Inline>, node: MarkdownTable, place: MarkdownPlace) => Block;
  readonly rule: (place: MarkdownPlace) => Block;
  readonly html: (text: string, place: MarkdownPlace) => Block;
}

const TOP: MarkdownPlace = { lists: 0, quotes: 0 };

/** Turns a tree into something else, from its leaves up. */
export function foldMarkdown<Inline, Block>(
  blocks: readonly MarkdownBlock[],
  fold: MarkdownFold<Inline, Block>,
  place: MarkdownPlace = TOP,
): readonly Block[] {
  return blocks.map((block) => foldBlock(block, fold, place));
}

function foldBlock<Inline, Block>(block: MarkdownBlock, fold: MarkdownFold<Inline, Block>, place: MarkdownPlace): Block {
  const spans = (nodes: readonly MarkdownInline[]) => foldInline(nodes, fold);
  switch (block.type) {
    case 'paragraph':
      return fold.paragraph(spans(block.children), place);
    case 'heading':
      return fold.heading(spans(block.children), block, place);
    case 'list':
      return fold.list(foldItems(block, fold, { ...place, lists: place.lists + 1 }), block, place);
    case 'quote':
      return fold.quote(foldMarkdown(block.children, fold, { ...place, quotes: place.quotes + 1 }), place);
    case 'code':
      return fold.code(block, place);
    case 'table':
      return fold.table({ head: block.head.map(spans), rows: block.rows.map((row) => row.map(spans)) }, block, place);
    case 'rule':
      return fold.rule(place);
    case 'html':
      return fold.html(block.text, place);
  }
}

const foldItems = <Inline, Block>(
  list: MarkdownList,
  fold: MarkdownFold<Inline, Block>,
  place: MarkdownPlace,
): readonly FoldedItem<Block>[] =>
  list.items.map((item, index) => ({
    item,
    number: list.ordered ? list.start + index : undefined,
    blocks: foldMarkdown(item.children, fold, place),
  }));

/** The same for the nodes within a block. */
export function foldInline<Inline, Block>(nodes: readonly MarkdownInline[], fold: MarkdownFold<Inline, Block>): readonly Inline[] {
  return nodes.map((node) => {
    switch (node.type) {
      case 'text':
        return fold.text(node.text);
      case 'code':
        return fold.inlineCode(node.text);
      case 'link':
        return fold.link(foldInline(node.children, fold), node);
      case 'image':
        return fold.image(node);
      case 'break':
        return fold.break();
      case 'strong':
      case 'emphasis':
      case 'strike':
      case 'spoiler':
        return fold[node.type](foldInline(node.children, fold));
    }
  });
}
