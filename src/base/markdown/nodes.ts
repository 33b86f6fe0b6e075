/** A stretch of text within a block. */
export type MarkdownInline =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'strong' | 'emphasis' | 'strike' | 'spoiler'; readonly children: readonly MarkdownInline[] }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'link'; readonly href: string; readonly children: readonly MarkdownInline[] }
  | { readonly type: 'image'; readonly href: string; readonly alt: string }
  /** The end of a line within a block: a chat shows it. */
  | { readonly type: 'break' };

export type MarkdownBlock =
  | { readonly type: 'paragraph'; readonly children: readonly MarkdownInline[] }
  | { readonly type: 'heading'; readonly level: number; readonly children: readonly MarkdownInline[] }
  | MarkdownList
  | { readonly type: 'quote'; readonly children: readonly MarkdownBlock[] }
  | MarkdownCode
  | MarkdownTable
  | { readonly type: 'rule' }
  /** Tags that make a block of their own, as they are written. */
  | { readonly type: 'html'; readonly text: string };

export interface MarkdownList {
  readonly type: 'list';
  readonly ordered: boolean;
  /** The number of the first item. */
  readonly start: number;
  readonly items: readonly MarkdownItem[];
}
export interface MarkdownItem {
  /** Of an item with a box: whether it is ticked. */
  readonly checked?: boolean;
  readonly children: readonly MarkdownBlock[];
}
export interface MarkdownCode {
  readonly type: 'code';
  readonly text: string;
  /** Empty when none is named. */
  readonly language: string;
  /** The mark it stands between. */
  readonly fence: string;
  /** False while the text that closes it is not there yet. */
  readonly closed: boolean;
}
export type MarkdownCell = readonly MarkdownInline[];
export interface MarkdownTable {
  readonly type: 'table';
  readonly align: readonly ('left' | 'center' | 'right')[];
  readonly head: readonly MarkdownCell[];
  /** Each as long as the head. */
  readonly rows: readonly (readonly MarkdownCell[])[];
}
